/** The tools of a test whose numbers depend on how long the list of them is. */
export const FEW_TOOLS = [
  'Read',
  'Write',
  'Edit',
  'Glob',
  'Grep',
  'Bash',
  'BashOutput',
  'KillShell',
  'Agent',
  'TaskOutput',
  'TaskStop',
  'TodoWrite',
  'AskUserQuestion',
  'EnterPlanMode',
] as const;
