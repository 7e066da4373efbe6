import { McpError } from '../../errors.ts';
import { compileInput, compileOutput } from '../../schema/input-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { RegisteredTool, ToolDefinition, ToolHandler } from '../api/tool.ts';
import { withCheckedResults, withJudgedArguments } from './judged-handler.ts';
import type { RegistryKind } from './registry.ts';

/** A tool, and what a list shows of it. */
export interface ListedTool {
  readonly tool: RegisteredTool;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | undefined;
}

/** @throws McpError `OPTION_INVALID`, `SCHEMA_UNSUPPORTED` */
export function toolOf(name: string, definition: ToolDefinition, given: ToolHandler<never>): ListedTool {
  if (typeof name !== 'string' || name === '') throw new McpError('OPTION_INVALID', 'A tool needs a name');
  if (typeof given !== 'function') throw new McpError('OPTION_INVALID', `Tool ${name} needs a handler`);
  const input = compileInput(definition.inputSchema, name);
  const { outputSchema } = definition;
  const output = outputSchema === undefined ? undefined : compileOutput(outputSchema, `${name} (output)`);
  let handler = given as RegisteredTool['handler'];
  if (output !== undefined) handler = withCheckedResults(output, name, handler);
  if (input.judge !== undefined) {
    handler = withJudgedArguments(input.judge, handler, ({ path, text }) => {
      throw new Error(`Invalid arguments for tool ${name}: ${path} ${text}`);
    });
  }
  const tool = { name, definition, check: input.check, handler };
  return { tool, inputSchema: input.json, outputSchema: output?.json };
}

export const toolKind: RegistryKind<ListedTool> = {
  member: 'tools',
  letter: 't',
  describe({ tool: { name, definition }, inputSchema, outputSchema }, modern) {
    const { title, description, annotations, icons, _meta } = definition;
    // Legacy clients refuse a whole list for one output schema whose root is no object.
    const shown = modern || outputSchema?.type === 'object' ? outputSchema : undefined;
    return { name, title, description, inputSchema, outputSchema: shown, annotations, icons, _meta };
  },
};
