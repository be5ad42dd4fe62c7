import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadAgents } from '../../../src/extensions/agents/load-agents.js';
import { withReadHooks } from '../../../src/extensions/hooks/own-hooks.js';
import { loadSkills } from '../../../src/extensions/skills/load-skills.js';
import { Settings } from '../../../src/settings/schema/settings-schema.js';

it('hooks of agents and skills of a project need trust', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-own-hooks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fields = '---\nname: a\ndescription: d\nhooks: { Stop: [] }\n---\nText.';
  for (const file of ['.git/HEAD', '.claude/agents/a.md', '.claude/skills/a/SKILL.md']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), fields);
  }
  const load = async (isTrusted: boolean) => {
    const options = {
      cwd: folder,
      env: { HOME: join(folder, 'home') },
      isTrusted: () => isTrusted,
    };
    const [agents, skills] = await Promise.all([
      loadAgents({ ...options, sources: ['project'] }),
      loadSkills(options),
    ]);
    return {
      hooks: [...agents.agents, ...skills.skills].map(({ hooks }) => hooks),
      warnings: [...agents.warnings, ...skills.warnings].map((line) =>
        line.replace(/^.*: (?=this)/, ''),
      ),
    };
  };
  expect(await load(true)).toEqual({ hooks: [{ Stop: [] }, { Stop: [] }], warnings: [] });
  expect(await load(false)).toEqual({
    hooks: [undefined, undefined],
    warnings: [
      'this folder is not trusted, so the hooks of the agent do not run. To apply them: troupe trust, or --trust for one run.',
      'This folder is not trusted, so the hooks of these skills do not run: a. To apply it: troupe trust, or --trust for one run.',
    ],
  });
});

it('hooks of agents and skills keep to the limits of settings', () => {
  const url = 'https://a.example/';
  const owners = [{ hooks: { Stop: [{ hooks: [{ type: 'http', url }] }] } }, { hooks: 1 }, {}];
  const layer = (settings: object, source: 'userSettings' | 'policySettings' = 'userSettings') => [
    { source, file: '/s.json', settings: Settings.parse(settings) },
  ];
  const read = (settings: object) => withReadHooks(owners, () => 'here', layer(settings));
  expect(read({ allowedHttpHookUrls: [] })).toEqual({
    owners: [{ hooks: { Stop: [{ hooks: [], source: 'here' }] } }, { hooks: undefined }, {}],
    warnings: [
      `here: an http hook (Stop) never runs: allowedHttpHookUrls does not have ${url}.`,
      expect.stringMatching(/^here: its hooks do not run: /),
    ],
  });
  expect(read({ disableAllHooks: true }).owners).toEqual([
    { hooks: undefined },
    { hooks: undefined },
    {},
  ]);
  const only = layer({ allowManagedHooksOnly: true }, 'policySettings');
  const managed = 'here: its hooks do not run: managed settings have allowManagedHooksOnly.';
  expect(withReadHooks(owners, () => 'here', only)).toEqual({
    owners: [{ hooks: undefined }, { hooks: undefined }, {}],
    warnings: [managed, managed],
  });
});
