/** Flags that several commands share. */
export const SETTINGS_FLAGS = ['--settings', '--setting-sources', '--add-dir', '--trust'] as const;
export const RULE_FLAGS = [
  ...SETTINGS_FLAGS,
  '--permission-mode',
  '--allowedTools',
  '--disallowedTools',
  '--dangerously-skip-permissions',
] as const;
export const MCP_FLAGS = ['--mcp-config', '--strict-mcp-config'] as const;
/** The choices of a server for its agents. */
export const SERVE_FLAGS = [
  '--model',
  '--fallback-model',
  '--max-turns',
  '--max-budget-usd',
  '--max-concurrent-agents',
  '--agents',
  '--tools',
  '--sandbox',
  ...RULE_FLAGS,
  ...MCP_FLAGS,
] as const;
