/** A handler's return value that is no tool result. */
export class NotAToolResult extends Error {}
