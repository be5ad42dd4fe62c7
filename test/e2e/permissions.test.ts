import { mkdir, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { FakeMessagesApi } from '../../src/testing/fake-messages-api.js';
import { agent, answer, bash, requestsOf, results, textOf, write } from './support/answers.js';
import { getAllBaseTools } from '../../src/tools/pool/base-tools.js';
import { withoutDenied } from './support/denied-lines.js';
import { createPlace, type Place } from './support/place.js';

type Use = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** Lets the session's own agent use some tools. */
async function use(
  place: Place,
  tools: readonly Use[],
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const api = await place.api({ replies: [{ tools }, { text: 'Done.' }] });
  const { code, stdout, stderr } = await place.call(
    ['-p', 'go', '--output-format', 'json', ...args],
    { api, env },
  );
  if (code !== 0) return { code, stderr, verdicts: [], texts: [], denials: [], api };
  const told = results(api.requests[1]);
  const result = JSON.parse(stdout) as { permission_denials: readonly { tool_use_id: string }[] };
  return {
    code,
    stderr: withoutDenied(stderr),
    /** By position: whether the use ran well. */
    verdicts: told.map(({ is_error }) => (is_error === true ? 'refused' : 'ran')),
    texts: told.map(({ content }) => textOf(content)),
    denials: result.permission_denials.map(({ tool_use_id: id }) => Number(id.split('_').at(-1))),
    api,
  };
}

/** Lets one agent run each of some commands: a command that fails would cancel those beside it. */
async function runEach(
  place: Place,
  commands: readonly string[],
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  const parts = commands.map((command, index) => [
    `command ${index}`,
    [{ tools: [bash(command)] }, { text: 'Seen.' }],
  ]);
  const api = await place.api({
    handler: answer({
      go: [{ tools: commands.map((_, index) => agent(`command ${index}`)) }, { text: 'Done.' }],
      ...Object.fromEntries(parts),
    }),
  });
  const { code, stderr } = await place.call(['-p', 'go', ...args], { api, env });
  expect([code, withoutDenied(stderr)]).toEqual([0, '']);
  const verdicts = commands.map((command, index) => {
    const [result] = results(requestsOf(api, `command ${index}`)[1]);
    const isRefused = textOf(result?.content).startsWith('Permission to use Bash');
    return [command, isRefused ? 'refused' : 'ran'] as const;
  });
  return Object.fromEntries(verdicts);
}

function toolNames({ requests }: FakeMessagesApi, index = 0): readonly string[] {
  const tools = requests[index]?.body['tools'] as readonly { name: string }[];
  return tools.map(({ name }) => name);
}

describe.concurrent('permission modes', () => {
  const writes = (place: Place): readonly Use[] => [
    { name: 'Read', input: { file_path: place.at('read.txt') } },
    write(place.at('a.txt'), 'a'),
    bash('cat read.txt'),
    bash('touch b.txt'),
    {
      name: 'Edit',
      input: { file_path: place.at('read.txt'), old_string: 'old', new_string: 'new' },
    },
  ];
  it.for([
    { mode: 'default', ran: [0, 2], files: ['read.txt'] },
    { mode: 'manual', ran: [0, 2], files: ['read.txt'] },
    { mode: 'acceptEdits', ran: [0, 1, 2, 3, 4], files: ['a.txt', 'b.txt', 'read.txt'] },
    { mode: 'dontAsk', ran: [0, 2], files: ['read.txt'] },
    { mode: 'plan', ran: [0, 2], files: ['read.txt'] },
  ])(
    '$mode: with nobody attached, what would have to be asked for is refused and listed',
    async ({ mode, ran, files }, { onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      await place.write({ 'read.txt': 'old\n' });
      const uses = writes(place);
      const outcome = await use(place, uses, ['--permission-mode', mode]);
      expect(outcome.stderr).toBe('');
      const all = uses.map((_, index) => index);
      const refused = all.filter((index) => !ran.includes(index));
      expect({
        verdicts: outcome.verdicts,
        denials: [...outcome.denials].sort(),
        files: await place.files(),
      }).toEqual({
        verdicts: all.map((index) => (ran.includes(index) ? 'ran' : 'refused')),
        denials: refused,
        files,
      });
      for (const index of refused) expect(outcome.texts[index]).toMatch(/[Pp]ermission/);
    },
  );

  const isRoot = process.getuid?.() === 0;
  it.skipIf(!isRoot)('refuses bypassPermissions to root', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    for (const args of [
      ['--permission-mode', 'bypassPermissions'],
      ['--dangerously-skip-permissions'],
    ]) {
      const { code, stderr } = await place.call(['-p', 'go', ...args]);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(/^troupe: .*bypassPermissions.*IS_SANDBOX=1.*\n$/),
      });
    }
  });

  it('lets everything run in bypassPermissions but what a rule denies', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const { verdicts, texts } = await use(
      place,
      [bash('touch a.txt'), write(place.at('b.txt'), 'b'), bash('rm -f a.txt')],
      ['--permission-mode', 'bypassPermissions', '--disallowedTools', 'Bash(rm *)'],
      { IS_SANDBOX: '1' },
    );
    expect(verdicts).toEqual(['ran', 'ran', 'refused']);
    expect(texts[2]).toContain('Bash(rm *)');
    expect(await place.files()).toEqual(['a.txt', 'b.txt']);
  });
});

describe.concurrent('rules', () => {
  it('takes a tool that is denied whole out of every request', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({
        go: [{ tools: [agent('below')] }, { text: 'Done.' }],
        below: [{ tools: [bash('touch a.txt')] }, { text: 'Below.' }],
      }),
    });
    await place.call(
      ['-p', 'go', '--disallowedTools', 'Bash,WebFetch,Write', '--permission-mode', 'acceptEdits'],
      { api },
    );
    const names = getAllBaseTools()
      .filter(({ shouldDefer }) => shouldDefer !== true)
      .filter((tool) => tool.isEnabled({ env: {}, cwd: place.cwd }))
      .map(({ name }) => name)
      .filter((name) => !['Bash', 'Write'].includes(name))
      .toSorted();
    expect(api.requests.map((_, index) => toolNames(api, index))).toEqual(
      api.requests.map(() => names),
    );
    for (const { body } of api.requests) {
      expect(JSON.stringify(body['system'])).toContain('\\nWebSearch\\n');
      expect(JSON.stringify(body['system'])).not.toMatch(/WebFetch|Monitor|Tmux/); // no commands without Bash
    }
    expect(textOf(results(requestsOf(api, 'below')[1])[0]?.content)).toContain(
      'No tool named "Bash"',
    );
    expect(await place.files()).toEqual([]);
  });

  it('holds deny rules of settings at every depth, in every mode that a child asks for', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'settings.json':
        '{"permissions": {"deny": ["Bash(touch *)", "Edit(secret/**)"], "allow": ["Bash"]}}',
    });
    const tools = [bash('echo fine'), write(place.at('secret/a.txt'), 'a'), bash('touch a.txt')];
    const mode = { mode: 'bypassPermissions' };
    const api = await place.api({
      handler: answer({
        go: [{ tools: [agent('one', mode)] }, { text: 'Done.' }],
        one: [{ tools: [...tools, agent('two', mode)] }, { text: 'One.' }],
        two: [{ tools: [...tools, agent('three', mode)] }, { text: 'Two.' }],
        three: [{ tools }, { text: 'Three.' }],
      }),
    });
    await place.call(
      ['-p', 'go', '--settings', 'settings.json', '--permission-mode', 'bypassPermissions'],
      { api, env: { IS_SANDBOX: '1' } },
    );
    for (const prompt of ['one', 'two', 'three']) {
      const told = results(requestsOf(api, prompt)[1]).slice(0, 3);
      expect({ prompt, errors: told.map(({ is_error }) => is_error ?? false) }).toEqual({
        prompt,
        errors: [false, true, true],
      });
      expect(textOf(told[2]?.content)).toContain('Bash(touch *)');
      expect(textOf(told[1]?.content)).toContain('Edit(secret/**)');
    }
    expect(await place.files()).toEqual(['settings.json']);
  });

  it('takes settings as text, and merges the rules of all sources', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const { verdicts } = await use(
      place,
      [bash('touch a.txt'), bash('mkdir b'), bash('touch c.txt; mkdir d'), bash('mkdir -p e/f')],
      [
        '--settings',
        '{"permissions": {"allow": ["Bash(touch *)"], "deny": ["Bash(mkdir -p *)"]}}',
        '--allowedTools',
        'Bash(mkdir *),Read',
      ],
    );
    expect(verdicts).toEqual(['ran', 'ran', 'ran', 'refused']);
    expect(await place.files()).toEqual(['a.txt', 'c.txt']);
  });

  it('wants a rule for each part of a command', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ 'x.txt': 'x\n' });
    const refused = [
      'touch a.txt && rm x.txt',
      'touch a.txt; rm x.txt',
      'touch a.txt | tee b.txt',
      'touch a.txt & rm x.txt',
      'touch a.txt\nrm x.txt',
      'touch $(rm x.txt)',
      'touch `rm x.txt`',
      'touch a.txt > /etc/troupe-e2e',
      'touch <(rm x.txt)',
      'eval rm x.txt',
      'bash -c "rm x.txt"',
      'FOO=1 rm x.txt',
      'touchy a.txt',
    ];
    const allowed = ['touch ok-1.txt && touch ok-2.txt', 'touch "ok 3.txt"; cat x.txt | wc -l'];
    expect(
      await runEach(place, [...refused, ...allowed], ['--allowedTools', 'Bash(touch *)']),
    ).toEqual({
      ...Object.fromEntries(refused.map((command) => [command, 'refused'])),
      ...Object.fromEntries(allowed.map((command) => [command, 'ran'])),
    });
    expect(await place.files()).toEqual(['ok 3.txt', 'ok-1.txt', 'ok-2.txt', 'x.txt']);
  });

  it('denies a command in which any part matches a deny rule', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ 'x.txt': 'x\n' });
    const refused = [
      'rm x.txt',
      'true && rm x.txt',
      'true | rm x.txt',
      '(rm x.txt)',
      'echo $(rm x.txt)',
      'env rm x.txt',
      'timeout 5 rm x.txt',
    ];
    expect(
      await runEach(
        place,
        [...refused, 'echo rm x.txt'],
        ['--permission-mode', 'bypassPermissions', '--disallowedTools', 'Bash(rm *)'],
        { IS_SANDBOX: '1' },
      ),
    ).toEqual({
      ...Object.fromEntries(refused.map((command) => [command, 'refused'])),
      'echo rm x.txt': 'ran',
    });
    expect(await place.files()).toEqual(['x.txt']);
  });
});

describe.concurrent('the workspace', () => {
  it('ends at the working folder, links and dots included', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const outside = `${place.temporary}/outside`;
    await mkdir(outside);
    await symlink(outside, place.at('link'));
    await place.write({ 'in.txt': 'in\n' });
    const tools = [
      write(`${outside}/a.txt`, 'a'),
      write(place.at('link/b.txt'), 'b'),
      write(place.at('../tmp/outside/c.txt'), 'c'),
      { name: 'Read', input: { file_path: '/etc/hostname' } },
      { name: 'Grep', input: { pattern: 'root', path: '/etc' } },
      bash('cat /etc/hostname'),
      write(place.at('.git/hooks/pre-commit'), 'x'),
      { name: 'Read', input: { file_path: place.at('in.txt') } },
      write(place.at('d.txt'), 'd'),
    ];
    const { verdicts } = await use(place, tools, ['--permission-mode', 'acceptEdits']);
    expect(verdicts).toEqual([...Array.from({ length: 7 }, () => 'refused'), 'ran', 'ran']);
    expect(await place.files()).toEqual(['d.txt', 'in.txt', 'link']);
  });

  it('has the further folders of the settings', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const outside = `${place.temporary}/outside`;
    await mkdir(outside);
    const { verdicts } = await use(
      place,
      [write(`${outside}/a.txt`, 'a'), write(`${place.temporary}/b.txt`, 'b')],
      [
        '--permission-mode',
        'acceptEdits',
        '--settings',
        JSON.stringify({ permissions: { additionalDirectories: [outside] } }),
      ],
    );
    expect(verdicts).toEqual(['ran', 'refused']);
  });
});

describe.concurrent('denied tool calls', () => {
  it.for(['text', 'json', 'stream-json', 'markdown'])(
    'are on stderr with the flag that allows them: --output-format %s',
    async (format, { onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const api = await place.api({
        handler: answer({
          go: [{ tools: [bash('npm test')] }, { tools: [agent('sub')] }, { text: 'Done.' }],
          sub: [{ tools: [bash('npm test')] }, { tools: [bash("make 'x'")] }, { text: 'Done.' }],
        }),
      });
      const flags = ['--output-format', format, ...(format === 'stream-json' ? ['--verbose'] : [])];
      const { code, stderr } = await place.call(['-p', 'go', ...flags], { api });
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: `troupe: denied: Bash(npm test). Allow it: --allowedTools 'Bash(npm test)'
troupe: denied: Bash(make 'x'). Allow it: --allowedTools 'Bash(make '\\''x'\\'')'
`,
      });
    },
  );
});
