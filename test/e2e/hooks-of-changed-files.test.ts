import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { bash, newestBlocks, results, textOf } from './support/answers.js';
import { hook, placeWith } from './support/user-hooks.js';

const skill = (body: string): string => `---\ndescription: Greets.\n---\n${body}\n`;

it('changed settings, hooks, skills and agents reach a session that runs', async ({
  onTestFinished,
}) => {
  const refusing = `jq -r .file_path >> asked; test "$(tail -1 asked)" != "$PWD/.claude/settings.local.json"`;
  const place = await placeWith(onTestFinished, {
    ConfigChange: [hook(`${refusing} || exit 2`)],
  });
  const settings = (value: object): Promise<void> =>
    place.write({ '.claude/settings.json': JSON.stringify(value) });
  const guard = { matcher: 'Bash', hooks: [hook('echo guarded >&2; exit 2')] };
  const steps = [
    () => bash('true'),
    async () => {
      await settings({ permissions: { deny: ['Bash(echo *)'] }, env: { MOOD: 'good' } });
      await place.write({ '.claude/settings.local.json': '{"permissions":{"deny":["Bash"]}}' });
      return bash('true');
    },
    () => bash('echo denied'),
    () => bash('printenv MOOD'),
    async () => {
      await place.write({ '.claude/settings.json': '{ "permissions": {' });
      return bash('true');
    },
    () => bash('echo still denied'),
    async () => {
      await settings({ hooks: { PreToolUse: [guard] } });
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
  const { code, stderr } = await place.call(['-p', 'go', '--trust', '--allowedTools', 'Bash'], {
    api,
  });
  const read = api.requests.slice(1).map((request) =>
    results(request)
      .map(({ content }) => textOf(content))
      .join('\n'),
  );
  expect(code).toBe(0);
  expect([read[2], read[5]]).toEqual([
    expect.stringContaining('denied by the rule Bash(echo *)'),
    expect.stringContaining('denied by the rule Bash(echo *)'),
  ]);
  expect(read[3]).toContain('good');
  expect(read[7]).toContain('guarded');
  expect(JSON.stringify(newestBlocks(api.requests[9]))).toContain('Say hello.');
  const tools = (index: number): string => JSON.stringify(api.requests[index]?.body['tools']);
  expect(tools(6)).toBe(tools(0));
  expect([tools(8).includes('Greets.'), tools(8).includes('Criticises.')]).toEqual([true, true]);
  expect(stderr).toContain(
    `${place.at('.claude/settings.json')} changed. In effect now: permissions, environment of commands.`,
  );
  expect((await place.text('asked')).split('\n')).toContain(
    place.at('.claude/settings.local.json'),
  );
  await rm(place.at('asked'));
});
