import { describe, expect, it } from 'vitest';
import { getAllBaseTools } from '../../../src/tools/pool/base-tools.js';
import { assembleToolPool } from '../../../src/tools/pool/pool.js';

const all = getAllBaseTools();

/** The built-in tools that an environment takes away. */
function missing(env: Record<string, string>): readonly string[] {
  const tools = (surroundings: Record<string, string>) =>
    assembleToolPool({ builtIn: all, surroundings: { env: surroundings, cwd: '/w' } });
  const left = new Set(tools({ ...env, PATH: '' }).map(({ name }) => name));
  return tools({ PATH: '' })
    .map(({ name }) => name)
    .filter((name) => !left.has(name));
}

describe('a variable of the environment', () => {
  it.each([
    [{ CLAUDE_CODE_DISABLE_CRON: '1' }, ['CronCreate', 'CronDelete', 'CronList']],
    [{ CLAUDE_CODE_ENABLE_TASKS: 'false' }, ['TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate']],
    [{ CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '0' }, ['TeamCreate', 'TeamDelete']],
    [{ CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' }, ['Monitor']],
    [{ CLAUDE_CODE_DISABLE_CRON: '0', CLAUDE_CODE_ENABLE_TASKS: '1' }, []],
    [{ CLAUDE_CODE_DISABLE_CRON: '', CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' }, []],
  ])('%o turns off %j', (env, names) => {
    expect(missing(env as Record<string, string>)).toEqual(names);
  });
});
