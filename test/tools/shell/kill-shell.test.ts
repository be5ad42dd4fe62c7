import { describe, expect, it } from 'vitest';
import { KillShellTool } from '../../../src/tools/shell/kill-shell.js';
import { createTaskWorld } from '../tasks/task-world.js';
import { runText } from '../files/workspace.js';
import { createContext } from '../../support/tool-context.js';

const SHELL = 'b00000001';

/** Tasks, and KillShell called beside them. */
function createKiller() {
  const world = createTaskWorld();
  const context = createContext('/w', { tasks: { control: world.tasks } });
  return {
    ...world,
    kill: (shell_id: string) => runText(KillShellTool, { shell_id }, context),
  };
}

describe('KillShell', () => {
  it('ends a command and says so', async () => {
    const { add, kill, kills } = createKiller();
    add(SHELL, { description: 'npm run dev' });
    expect(await kill(SHELL)).toBe('Stopped b00000001 (npm run dev) and everything below it.');
    expect(kills).toEqual(['b00000001: stopped by KillShell']);
  });

  it('refuses one that has ended', async () => {
    const { add, kill, settle } = createKiller();
    add(SHELL, { description: 'true' });
    settle(SHELL, { status: 'completed', result: '' });
    await expect(kill(SHELL)).rejects.toThrow(
      'KillShell: b00000001 (true) has already ended, its status is completed. Nothing was stopped.',
    );
  });

  it('refuses what is no shell, and names the tool for it', async () => {
    const { add, kill, kills } = createKiller();
    add('a00000001', { description: 'look around' });
    await expect(kill('a00000001')).rejects.toThrow(
      'KillShell: a00000001 (look around) is not a shell. For an agent use TaskStop.',
    );
    expect(kills).toEqual([]);
  });

  it.each(['constructor', '__proto__', 'b99999999', 'B00000001'])('refuses %s', async (id) => {
    const { add, kill } = createKiller();
    add(SHELL);
    await expect(kill(id)).rejects.toThrow(
      `KillShell: no task has the ID ${JSON.stringify(id)}. There are: b00000001 (running).`,
    );
  });
});
