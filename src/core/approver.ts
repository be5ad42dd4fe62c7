/** The names of Troupe's own approvers: neither the audit nor the model takes them for a person. */
export const OWN_APPROVERS: readonly string[] = ['policy', 'desk', 'classifier', 'rules'];

/** Whether the `by` of a decision names a permission prompt tool: a tool of an MCP server. */
export function isPromptTool(by: string): boolean {
  return by.startsWith('mcp__');
}
