import { describe, expect, it } from 'vitest';
import { findNearKeys } from '../../../src/settings/explain/find-near-keys.js';
import { loadSettings } from '../../../src/settings/files/load-settings.js';

async function problemsOf(settings: object): Promise<readonly string[]> {
  return findNearKeys(await loadSettings(JSON.stringify(settings), 'flagSettings'));
}

describe('findNearKeys', () => {
  it('names the key of permissions that was probably meant', async () => {
    const permissions = { Deny: ['Bash'], allowed: [], denyRules: [], ask: [] };
    expect(await problemsOf({ permissions })).toEqual([
      '--settings:1:24: "permissions.Deny" is not known and has no effect. Did you mean "permissions.deny"?',
      '--settings:1:43: "permissions.allowed" is not known and has no effect. Did you mean "permissions.allow"?',
      '--settings:1:58: "permissions.denyRules" is not known and has no effect. Did you mean "permissions.deny"?',
    ]);
    expect(await problemsOf({ permission: { deny: ['Bash'] } })).toEqual([
      '--settings:1:15: "permission" is not known and has no effect. Did you mean "permissions"?',
    ]);
  });

  it('names the setting that was probably meant', async () => {
    expect(await problemsOf({ modle: 'sonnet', hook: {}, apiKeyHelpr: 'x', evn: {} })).toEqual([
      '--settings:1:10: "modle" is not known and has no effect. Did you mean "model"?',
      '--settings:1:26: "hook" is not known and has no effect. Did you mean "hooks"?',
      '--settings:1:43: "apiKeyHelpr" is not known and has no effect. Did you mean "apiKeyHelper"?',
      '--settings:1:53: "evn" is not known and has no effect. Did you mean "env"?',
    ]);
  });

  it('leaves keys alone that only others know', async () => {
    const permissions = { deny: [], somethingElse: true };
    expect(
      await problemsOf({ permissions, hooks: {}, theme: 'dark', tui: 1, modelOverrides: {} }),
    ).toEqual([]);
  });
});
