import { McpError } from '../../errors.ts';
import { compileSchema } from '../../schema/schema-compile.ts';
import type { RegisteredTool, ToolDefinition, ToolHandler } from '../api/tool.ts';
import type { RegistryKind } from './registry.ts';

/** @throws McpError `OPTION_INVALID`, `SCHEMA_UNSUPPORTED` */
export function toolOf(
  name: string,
  definition: ToolDefinition,
  handler: ToolHandler<never>,
): RegisteredTool {
  if (typeof name !== 'string' || name === '') throw new McpError('OPTION_INVALID', 'A tool needs a name');
  if (typeof handler !== 'function') throw new McpError('OPTION_INVALID', `Tool ${name} needs a handler`);
  const { inputSchema, outputSchema } = definition;
  if (inputSchema !== undefined && inputSchema.type !== 'object') {
    throw new McpError('SCHEMA_UNSUPPORTED', `Schema of ${name} at #: type must be "object"`);
  }
  return {
    name,
    definition,
    check: inputSchema === undefined ? undefined : compileSchema(inputSchema, name),
    outputCheck: outputSchema === undefined ? undefined : compileSchema(outputSchema, `${name} (output)`),
    handler,
  };
}

export const toolKind: RegistryKind<RegisteredTool> = {
  member: 'tools',
  letter: 't',
  describe({ name, definition }, modern) {
    const { title, description, inputSchema, outputSchema, annotations, icons, _meta } = definition;
    // Legacy clients refuse a whole list for one output schema whose root is no object.
    const showsOutput = modern || outputSchema?.type === 'object';
    return {
      name,
      title,
      description,
      inputSchema: inputSchema ?? { type: 'object' },
      outputSchema: showsOutput ? outputSchema : undefined,
      annotations,
      icons,
      _meta,
    };
  },
};
