import type { Environment } from '../files/folders.js';

/** Variables of the environment that turn features off, with the values that do, and the tools that go. */
const GATES = [
  {
    variable: 'CLAUDE_CODE_DISABLE_CRON',
    off: /^(?:1|true|yes|on)$/i,
    tools: ['CronCreate', 'CronDelete', 'CronList'],
  },
  {
    variable: 'CLAUDE_CODE_ENABLE_TASKS',
    off: /^(?:0|false|no|off)$/i,
    tools: ['TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate'],
  },
  {
    variable: 'CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS',
    off: /^(?:0|false|no|off)$/i,
    tools: ['TeamCreate', 'TeamDelete'],
  },
  {
    variable: 'CLAUDE_CODE_DISABLE_BACKGROUND_TASKS',
    off: /^(?:1|true|yes|on)$/i,
    tools: ['Monitor'],
  },
] as const;

/** Whether the model may leave work running in the background. */
export function hasBackground(env: Environment): boolean {
  return !gatedTools(env).has('Monitor');
}

/** Names of the built-in tools that variables of the environment turn off. */
export function gatedTools(env: Environment): ReadonlySet<string> {
  const closed = GATES.filter(({ variable, off }) => off.test(env[variable]?.trim() ?? ''));
  return new Set(closed.flatMap(({ tools }) => tools));
}
