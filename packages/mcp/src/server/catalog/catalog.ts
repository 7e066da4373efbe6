import { encodeJson } from '@linewire/framing';
import { McpError } from '../../errors.ts';
import { compileSchema } from '../../schema/schema-compile.ts';
import type { Implementation } from '../../wire/versions.ts';
import type { RegisteredTool, ToolDefinition, ToolHandler } from '../api/tool.ts';

/** Tools by name, and the texts of the answers that are the same every time. */
export class Catalog {
  readonly tools: Map<string, RegisteredTool> = new Map();
  readonly infoText: string;
  readonly instructions: string | undefined;
  private toolListText: string | undefined = undefined;

  constructor(info: Implementation, instructions: string | undefined) {
    this.infoText = encodeJson(info);
    this.instructions = instructions;
  }

  add<Args extends object>(name: string, definition: ToolDefinition, handler: ToolHandler<Args>): void {
    if (typeof name !== 'string' || name === '') throw new McpError('OPTION_INVALID', 'A tool needs a name');
    if (typeof handler !== 'function') throw new McpError('OPTION_INVALID', `Tool ${name} needs a handler`);
    if (this.tools.has(name)) throw new McpError('TOOL_EXISTS', `Tool ${name} is registered already`);
    const { inputSchema } = definition;
    if (inputSchema !== undefined && inputSchema.type !== 'object') {
      throw new McpError('SCHEMA_UNSUPPORTED', `Schema of ${name} at #: type must be "object"`);
    }
    const check = inputSchema === undefined ? undefined : compileSchema(inputSchema, name);
    this.tools.set(name, { name, definition, check, handler: handler as ToolHandler<never> });
    this.toolListText = undefined;
  }

  /** The capabilities object as text. A server without tools does not claim them. */
  get capabilitiesText(): string {
    return this.tools.size === 0 ? '{}' : '{"tools":{}}';
  }

  /** The list of tools as text, in the order of registration, encoded once. */
  get toolsText(): string {
    this.toolListText ??= encodeJson([...this.tools.values()].map(describe));
    return this.toolListText;
  }
}

function describe({ name, definition }: RegisteredTool): Record<string, unknown> {
  const { title, description, inputSchema, annotations } = definition;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    inputSchema: inputSchema ?? { type: 'object' },
    ...(annotations === undefined ? {} : { annotations }),
  };
}
