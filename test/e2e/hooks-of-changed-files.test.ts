import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { bash, newestBlocks, results, textOf } from './support/answers.js';
import { hook, placeWith } from './support/user-hooks.js';

const skill = (body: string): string => `---\ndescription: Greets.\n---\n${body}\n`;

it('changed settings, hooks, skills and agents reach a session that runs', async ({
  onTestFinished,
}) => {
  const refusing =
    'file=$(jq -r .file_path); echo "$file" >> asked; case $file in *local.json|*managed.json) exit 2;; esac';
  const place = await placeWith(onTestFinished, {
    ConfigChange: [hook(refusing)],
    PreToolUse: [hook('echo "${MOOD-none}" >> moods')],
  });
  const settings = (value: object): Promise<void> =>
    place.write({ '.claude/settings.json': JSON.stringify(value) });
  const guard = { matcher: 'Bash', hooks: [hook('echo guarded >&2; exit 2')] };
  const steps = [
    () => bash('true'),
    async () => {
      await settings({
        permissions: { deny: ['Bash(echo *)'] },
        env: { MOOD: 'good' },
        model: 'opus',
      });
      await place.write({ '.claude/settings.local.json': '{"permissions":{"deny":["Bash"]}}' });
      return bash('true');
    },
    () => bash('echo denied'),
    async () => {
      await place.write({ '../managed.json': '{"permissions":{"deny":["Bash(printf *)"]}}' });
      return bash('printenv MOOD');
    },
    async () => {
      await place.write({ '.claude/settings.json': '{ "permissions": {' });
      return bash('true');
    },
    () => bash('echo still denied'),
    () => bash('printf denied'),
    async () => {
      const again = 'test -e stopped || { touch stopped; echo Not yet. >&2; exit 2; }';
      await settings({ hooks: { PreToolUse: [guard], Stop: [{ hooks: [hook(again)] }] } });
      await place.write({
        '.claude/skills/greet/SKILL.md': skill('Say hello.'),
        '.claude/agents/critic.md': '---\nname: critic\ndescription: Criticises.\n---\nRead.\n',
      });
      return { name: 'Read', input: { file_path: place.at('asked') } };
    },
    () => bash('true'),
    () => ({ name: 'Skill', input: { skill: 'greet' } }),
  ];
  const api = await place.api({
    handler: async ({ body }) => {
      const step = steps[body.messages.filter(({ role }) => role === 'assistant').length];
      return step === undefined ? { text: 'Done.' } : { tools: [await step()] };
    },
  });
  await place.write({ '../managed.json': '{}' });
  const { code, stderr } = await place.call(['-p', 'go', '--trust', '--allowedTools', 'Bash'], {
    api,
    env: { TROUPE_MANAGED_SETTINGS: place.at('../managed.json') },
  });
  const read = api.requests.slice(1).map((request) =>
    results(request)
      .map(({ content }) => textOf(content))
      .join('\n'),
  );
  expect(code).toBe(0);
  expect([read[2], read[5], read[6]]).toEqual([
    expect.stringContaining('denied by the rule Bash(echo *)'),
    expect.stringContaining('denied by the rule Bash(echo *)'),
    expect.stringContaining('denied by the rule Bash(printf *)'), // which no hook can refuse
  ]);
  expect(read[3]).toContain('good');
  expect(read[8]).toContain('guarded');
  expect((await place.text('moods')).trim().split('\n')).toEqual([
    'none',
    ...Array.from({ length: 6 }, () => 'good'),
    ...Array.from({ length: 3 }, () => 'none'),
  ]);
  expect(JSON.stringify(newestBlocks(api.requests[10]))).toContain('Say hello.');
  const tools = (index: number): string => JSON.stringify(api.requests[index]?.body['tools']);
  expect(tools(6)).toBe(tools(0));
  expect([tools(9).includes('Greets.'), tools(9).includes('Criticises.')]).toEqual([true, true]);
  expect(stderr).toContain(
    `${place.at('.claude/settings.json')} changed. In effect now: permissions, environment of commands.`,
  );
  expect(stderr).toContain('Changed, but only in effect in new sessions: model.');
  expect(JSON.stringify(newestBlocks(api.requests[11]))).toContain('Not yet.');
  expect(api.requests).toHaveLength(12);
  expect((await place.text('asked')).split('\n')).toEqual(
    expect.arrayContaining([place.at('.claude/settings.local.json'), place.at('../managed.json')]),
  );
  await rm(place.at('asked'));
});
