import { describe, expect, it } from 'vitest';
import { createGate } from '../support/gate.js';
import { countProcesses, uniqueSeconds, until } from '../processes/processes.js';
import { answer, bash } from './support/answers.js';
import { createPlace, type Place } from './support/place.js';
import { HAS_TERMINAL, startAtTerminal } from './support/terminal.js';

type Report = {
  readonly status: string;
  readonly why?: string;
  readonly sessionId: string;
  readonly calls: number;
  readonly costUsd?: number;
  readonly tasks: readonly {
    readonly name: string;
    readonly status: string;
    readonly attempts: number;
    readonly why?: string;
    readonly output?: unknown;
  }[];
};

const reportOf = (stdout: string): Report => JSON.parse(stdout) as Report;
const statusesOf = ({ tasks }: Report): Record<string, string> =>
  Object.fromEntries(tasks.map(({ name, status }) => [name, status]));
const runTeam = (place: Place, flags: readonly string[] = [], options: object = {}) =>
  place.call(['team', 'run', 'team.yaml', ...flags], options);

describe.concurrent('troupe team run', () => {
  it('runs what may run side by side at the same time, and the rest in its order', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const both = createGate();
    let waiting = 0;
    const meet = async () => {
      if ((waiting += 1) === 2) both.open();
      await both.opened; // neither is answered before both have asked
      return { text: 'half' };
    };
    const api = await place.api({
      handler: answer({
        'Do the left half.': [meet],
        'Do the right half.': [meet],
        'Join half and half.': [{ tools: [bash('echo whole > joined')] }, { text: 'whole' }],
      }),
    });
    await place.write({
      'team.yaml': `name: halves
agents:
  worker: { prompt: You work. }
tasks:
  join: { agent: worker, prompt: 'Join \${{ tasks.left.output }} and \${{ tasks.right.output }}.' }
  left: { agent: worker, prompt: Do the left half. }
  right: { agent: worker, prompt: Do the right half. }
  look: { command: cat joined, needs: [join] }
permissions: { mode: dontAsk, allow: ['Bash(echo *)', 'Edit(/joined)'] }
`,
    });
    const { code, stdout, stderr } = await runTeam(
      place,
      ['--json', '--model', 'claude-sonnet-4-5', '--report', 'report.md'],
      { api },
    );
    const report = reportOf(stdout);
    expect({ code, status: report.status, ...statusesOf(report) }).toEqual({
      code: 0,
      status: 'completed',
      join: 'done',
      left: 'done',
      right: 'done',
      look: 'done',
    });
    expect(report.calls).toBe(4);
    expect(report.costUsd).toBeGreaterThan(0);
    expect(report.tasks.find(({ name }) => name === 'look')?.output).toBe('whole');
    expect(stderr).toMatch(/join {3}done\n/);
    const markdown = await place.text('report.md');
    expect(markdown).toContain('# halves: completed');
    expect(markdown).toMatch(/\| join \| agent worker \| done \| 1 \|/);
    expect(markdown).toContain('allowed by rules and modes');
    const log = await place.call(['log']);
    expect(log.stdout).toMatch(/ Bash\(cat joined\) +started as tool\n/);
    expect(api.problems).toEqual([]);
  });

  it('ends with 1 if a task fails, and says why', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'team.yaml': `name: check
tasks:
  good: { command: echo fine }
  bad: { command: 'echo it is broken; exit 7', retry: { times: 1, delay: 10ms } }
  denied: { command: touch never }
  after: { command: 'true', needs: [bad] }
permissions: { mode: dontAsk, allow: ['Bash(echo *)', 'Bash(exit *)'], deny: ['Bash(touch *)'] }
`,
    });
    const { code, stdout, stderr } = await runTeam(place, ['--report', 'report.json']);
    const report = reportOf(await place.text('report.json'));
    expect(code).toBe(1);
    expect(report).toMatchObject({
      status: 'failed',
      why: expect.stringMatching(/^2 of 4 tasks failed\. "bad": it is broken/) as unknown,
      calls: 0,
      tasks: [
        { name: 'good', status: 'done', attempts: 1, output: 'fine' },
        { name: 'bad', status: 'failed', attempts: 2, why: 'it is broken\nExit code 7' },
        { name: 'denied', status: 'failed', attempts: 1 },
        { name: 'after', status: 'skipped', attempts: 0, why: '"bad" has failed' },
      ],
    });
    expect(stdout).toContain('# check: failed');
    expect(stdout).toContain('it is broken\nExit code 7');
    expect(stderr).toContain(`troupe team run team.yaml --resume ${report.sessionId}`);
    expect(place.has('never')).toBe(false);
    const sessions = await place.call(['sessions', '--json']);
    expect(JSON.parse(sessions.stdout)).toMatchObject([{ id: report.sessionId, status: 'failed' }]);
    const log = await place.call(['log']); // nothing asks a model, so no model is named
    expect(log.stdout.match(/started as .*/g)?.toSorted()).toEqual(
      ['main', 'tool', 'tool', 'tool', 'tool', 'workflow'].map((type) => `started as ${type}`),
    );
  });

  it('continues at the failed task after kill -9, which leaves no process', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const seconds = uniqueSeconds();
    await place.write({
      'team.yaml': `name: long
inputs: { who: nobody }
tasks:
  first: { command: 'echo \${{ inputs.who }} | tee -a log' }
  each: { command: 'echo \${{ item }} \${{ tasks.first.output }} >> log', foreach: [1, 2] }
  wait: { command: 'test -e go || sleep ${seconds}', needs: [each] }
  last: { command: echo last >> log, needs: [wait] }
permissions: { allow: [Bash, 'Edit(/log)'] }
`,
    });
    const troupe = place.start(['team', 'run', 'team.yaml', '--input', "who=it's ${{ me }}"]);
    await until('the third task runs', () => countProcesses(String(seconds)) > 0);
    troupe.kill('SIGKILL');
    await troupe.ended;
    await until('nothing is left', () => countProcesses(String(seconds)) === 0);
    const begun = (await place.text('log')).split('\n').toSorted();
    expect(begun).toEqual(['', "1 it's ${{ me }}", "2 it's ${{ me }}", "it's ${{ me }}"]);
    await place.write({ go: '' });
    const id = (await place.session()).split('/').at(-1) ?? '';
    const { code, stdout, stderr } = await runTeam(place, ['--resume', id, '--json']);
    expect(stderr.split('\n')[0]).toBe(
      'troupe: "wait" was running when the process died: it may have done half of its work, and all of it is done again.',
    );
    const report = reportOf(stdout);
    expect({ code, ...report }).toMatchObject({ code: 0, status: 'completed', sessionId: id });
    expect(
      report.tasks.map(({ name, status, attempts }) => `${name} ${status} ${attempts}`),
    ).toEqual(['first done 0', 'each done 0', 'wait done 1', 'last done 1']);
    expect((await place.text('log')).split('\n').toSorted()).toEqual([...begun, 'last'].toSorted());
  });

  it('continues in the mode that it had, or in a stricter one of the file', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const file = (mode: string): string => `name: x
tasks: { a: { command: touch made } }
permissions: { mode: ${mode} }
`;
    const made = async (...flags: readonly string[]): Promise<boolean> => {
      await runTeam(place, flags);
      return place.has('made');
    };
    await place.write({ 'team.yaml': file('acceptEdits') });
    expect(await made('--permission-mode', 'plan')).toBe(false);
    const id = (await place.session()).split('/').at(-1) ?? '';
    expect(await made('--resume', id)).toBe(false);
    await place.write({ 'team.yaml': file('plan') });
    expect(await made('--resume', id)).toBe(false);
    expect(await made('--resume', id, '--permission-mode', 'acceptEdits')).toBe(true);
  });

  it('ends with everything below it at SIGINT', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const seconds = uniqueSeconds();
    await place.write({
      'team.yaml': `name: long
tasks:
  each: { command: 'sleep ${seconds}', foreach: [1, 2, 3] }
  later: { command: touch later, needs: [each] }
permissions: { allow: [Bash] }
`,
      'hi.yaml': 'version: 1\nagents: [{ steps: [{ text: hi }] }]\n',
    });
    const model = ['--model', 'scripted:hi.yaml'];
    const troupe = place.start(['team', 'run', 'team.yaml', '--json', ...model]);
    await until('all run', () => countProcesses(`sleep ${seconds}`) >= 3);
    troupe.kill('SIGINT');
    const { code, stdout, stderr } = await troupe.ended;
    const { sessionId } = reportOf(stdout);
    expect(stderr.split('\n').slice(-3)).toEqual([
      expect.stringMatching(/ each {3}interrupted \(SIGINT\)$/),
      `troupe: To resume: troupe team run team.yaml --resume ${sessionId} --model scripted:hi.yaml`,
      '',
    ]);
    expect(stderr).toMatch(/ later {2}skipped: interrupted \(SIGINT\)\n/);
    expect({ code, ...statusesOf(reportOf(stdout)) }).toEqual({
      code: 130,
      each: 'interrupted',
      later: 'skipped',
    });
    expect(reportOf(stdout)).toMatchObject({
      why: 'stopped: interrupted (SIGINT)',
      tasks: [{ why: 'interrupted (SIGINT)' }, { why: 'interrupted (SIGINT)' }],
    });
    expect(countProcesses(String(seconds))).toBe(0);
    expect(place.has('later')).toBe(false);
  });

  it.skipIf(!HAS_TERMINAL)(
    'prints a report for people at a terminal, in lines that fit, and what to do next below it',
    async ({ onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const api = await place.api({ replies: [] });
      await place.write({
        'team.yaml': `name: check_all
tasks:
  good: { command: echo fine }
  tests: { command: npm test, needs: [good] }
permissions: { mode: dontAsk }
`,
      });
      const columns = 40;
      const flags = ['team', 'run', 'team.yaml'];
      const terminal = startAtTerminal(place, flags, { api, onTestFinished, columns });
      await terminal.see('check_all: failed after');
      await terminal.see(`✗ tests: failed after`);
      await terminal.see('  npm test\r\n    Permission to use Bash was denied:');
      await terminal.see("it: --allowedTools 'Bash(npm\r\n        test)'");
      await terminal.see(
        'To repeat the failed tasks:\r\n        troupe team run team.yaml\r\n        --resume\r\n',
      );
      expect(await terminal.ended).toBe(1);
      expect(terminal.shown).not.toContain('|');
      const [, report = ''] = terminal.shown.split('check_all: ');
      const words = report.split('\n').filter((line) => line.trim().includes(' '));
      expect(words.filter((line) => line.trimEnd().length > columns)).toEqual([]);
    },
  );

  it('looks whether the report can be written before it begins', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'team.yaml': `name: x
tasks: { a: { command: mkdir report.md } }
permissions: { mode: plan, allow: [Bash, 'Edit(/report.md)'] }
`,
      'folder/a.txt': '',
    });
    expect(await runTeam(place, ['--report', 'folder'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'troupe: --report: folder is a folder. Give a file in it: folder/report.md\n',
    });
    expect(await runTeam(place, ['--report', 'foldr/report.md'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'troupe: --report: foldr/report.md cannot be written: there is no such file or folder. Did you mean ' +
        `${place.cwd}/folder? Give a file in an existing folder.\n`,
    });
    expect(await runTeam(place, ['--report', './team.yaml'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'troupe: --report: ./team.yaml is the team file. Give another one, such as report.md.\n',
    });
    const flags = ['--report', 'report.md', '--permission-mode', 'default']; // before that of the file
    const { code, stdout, stderr } = await runTeam(place, flags);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: expect.stringContaining('# x: completed') as unknown,
      stderr: expect.stringContaining(
        'troupe: --report: report.md cannot be written: it is a folder, not a file.',
      ) as unknown,
    });
  });

  it('names the team if its budget is reached', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({ 'Do it.': [{ text: 'done' }], 'Again.': [{ text: 'done' }] }),
    });
    await place.write({
      'team.yaml': `name: small
agents: { worker: { prompt: You work. } }
tasks:
  a: { agent: worker, prompt: Do it. }
  b: { agent: worker, prompt: Again., needs: [a] }
budget: { turns: 1 }
`,
    });
    const { stdout, stderr } = await runTeam(
      place,
      ['--json', '--model', 'claude-sonnet-4-5', '--max-concurrent-agents', '1'],
      { api },
    );
    const why =
      'Reached the budget of 1 model request of the team "small" and all below it: 1 model request is used.';
    expect(reportOf(stdout)).toMatchObject({
      why: `1 of 2 tasks failed. "b": ${why}`,
      tasks: [{ status: 'done' }, { status: 'failed', why }],
    });
    expect(stderr).toContain(` b  failed: ${why}\n`);
  });

  it('starts nothing if the file or its inputs cannot be used', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'team.yaml': `name: wrong
tasks:
  a: { command: touch a, needs: [b] }
  b: { tool: Raed, needs: [a] }
`,
      'needs.yaml': `name: needs
inputs: { who: { description: Who } }
tasks: { a: { command: 'echo \${{ inputs.who }}' } }
`,
      'agent.yaml': `name: agent
tasks: { a: { agent: explore, prompt: Look. } }
`,
    });
    const problems = [
      'troupe: team.yaml:3:3: tasks.a: it can never begin: each waits for the next, "a" → "b" → "a".',
      expect.stringMatching(
        /^troupe: team\.yaml:4:14: tasks\.b\.tool: there is no tool "Raed"\. Did you mean "Read"\?/,
      ),
    ];
    for (const action of ['run', 'validate']) {
      const { code, stderr } = await place.call(['team', action, 'team.yaml']);
      expect({ code, lines: stderr.trimEnd().split('\n') }).toEqual({ code: 2, lines: problems });
    }
    expect(await place.call(['team', 'run', 'needs.yaml'])).toMatchObject({
      code: 2,
      stderr: 'troupe: The team needs "who": give --input who=VALUE.\n',
    });
    expect(await place.call(['team', 'run', 'needs.yaml', '--input', 'whom=x'])).toMatchObject({
      code: 2,
      stderr: 'troupe: The team has no input "whom". Did you mean "who"? It has who.\n',
    });
    expect(await place.call(['team', 'run', 'agent.yaml'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ANTHROPIC_API_KEY') as unknown,
    });
    expect(await place.call(['team', 'validate', 'needs.yaml'])).toMatchObject({
      code: 0,
      stdout: 'needs.yaml: needs, 1 task: the file is valid.\n',
    });
    expect(place.has('a')).toBe(false);
  });

  it('names what would allow what was denied, and validate says so before', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'team.yaml': `name: tests
inputs: { who: { description: anybody } }
tasks:
  look: { command: ls }
  tests: { command: npm test }
  greet: { command: 'touch \${{ inputs.who }}' }
`,
      'allowed.yaml': `name: allowed
tasks: { tests: { command: npm test } }
permissions: { allow: ['Bash(npm test)'] }
`,
    });
    const line = `Bash(npm test). Allow it: --allowedTools 'Bash(npm test)'`;
    expect(await place.call(['team', 'validate', 'team.yaml'])).toMatchObject({
      code: 0,
      stdout: 'team.yaml: tests, 3 tasks: the file is valid.\n',
      stderr: `troupe: tests needs approval: ${line}\n`,
    });
    expect(await place.call(['team', 'validate', 'allowed.yaml'])).toMatchObject({
      code: 0,
      stderr: '',
    });
    const { code, stderr } = await runTeam(place, ['--json', '--input', 'who=me']);
    expect(code).toBe(1);
    expect(stderr).toContain(`troupe: denied: ${line}\n`);
    expect(stderr).toMatch(/nobody is there to approve it\. No rule allows .*\.\n/);
  });
});
