import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPermissions } from '../../../src/actors/options/read-permissions.js';
import { getEmptyToolPermissionContext } from '../../../src/core/permission-types.js';
import { bashCall, newestResults, playParts } from '../../support/scripts.js';
import { createFolder, createTroupe } from '../../support/troupe.js';

const known = { tools: ['Read', 'Edit', 'Bash'] };

describe('permissions of a program', () => {
  it('are the rules of its sessions, in the words of the settings', async () => {
    const cwd = await createFolder();
    await mkdir(join(cwd, 'shared'));
    const given = {
      allow: ['Bash(npm test *)'],
      deny: ['Read(.env)'],
      ask: ['Edit'],
      mode: 'acceptEdits' as const,
      additionalDirectories: ['shared', '~'],
    };
    const source = 'session' as const;
    expect(readPermissions(given, { cwd, env: { HOME: cwd }, known })).toEqual({
      ...getEmptyToolPermissionContext(),
      mode: 'acceptEdits',
      alwaysAllowRules: { session: ['Bash(npm test *)'] },
      alwaysDenyRules: { session: ['Read(.env)'] },
      alwaysAskRules: { session: ['Edit'] },
      additionalWorkingDirectories: {
        [join(cwd, 'shared')]: { path: join(cwd, 'shared'), source },
        [cwd]: { path: cwd, source },
      },
    });
  });

  it.each([
    ['bypassPermissions', { isBypassPermissionsModeAvailable: true }],
    ['auto', { isAutoModeAvailable: true }],
  ] as const)('make the mode %s available if it is theirs', (mode, more) => {
    expect(readPermissions({ mode }, { cwd: '/', env: {}, known })).toMatchObject({
      mode,
      ...more,
    });
  });

  it('may be a whole context, which stays as it is', () => {
    const context = {
      ...getEmptyToolPermissionContext(),
      alwaysDenyRules: { userSettings: ['WebSurf(x)'] }, // reported by the code that reads settings
    };
    expect(readPermissions(context, { cwd: '/', env: {}, known })).toBe(context);
  });

  it('decide on what agents do', async () => {
    const asked: string[] = [];
    let errors: readonly (boolean | undefined)[] = [];
    const commands = ['touch one', 'touch three', 'touch two'];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: commands.map((command) => bashCall(command)) },
          ({ messages }) => {
            errors = newestResults(messages).map(({ is_error }) => is_error);
            return { text: 'Done.' };
          },
        ],
      }),
      {
        permissions: {
          allow: ['Bash(touch *)'],
          deny: ['Bash(touch two)'],
          ask: ['Bash(touch three)'],
        },
        canUseTool: (_name, { command }) => {
          asked.push(String(command));
          return Promise.resolve({ behavior: 'allow' });
        },
      },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect({ asked, errors }).toEqual({
      asked: ['touch three'],
      errors: [undefined, undefined, true],
    });
  });
});
