import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../../src/cli/arguments/command-line.js';
import { findCommand } from '../../../src/cli/command-table/find-command.js';
import { readRun } from '../../../src/cli/run/read-run.js';
import { run } from '../../../src/cli/dispatch.js';
import { UsageError } from '../../../src/core/errors.js';

const RUN = {
  isInteractive: false,
  prompt: undefined,
  outputFormat: 'text',
  inputFormat: 'text',
  model: undefined,
  fallbackModel: undefined,
  permissionMode: undefined,
  allowedTools: [],
  disallowedTools: [],
  settings: [],
  settingSources: undefined,
  addDirectories: [],
  trustsFolder: false,
  resume: undefined,
  picks: false,
  continues: false,
  forks: false,
  mcpConfigs: [],
  usesOnlyGivenServers: false,
  pluginFolders: [],
  usesSkills: true,
  agents: undefined,
  agent: undefined,
  session: {},
  setup: undefined,
  endsAfterSetup: false,
  verbose: false,
  waitsForApproval: false,
  systemPrompt: undefined,
  appendSystemPrompt: undefined,
  effort: undefined,
  outputSchema: undefined,
  tools: undefined,
  persists: true,
  replaysPrompts: false,
  asksOnStdio: false,
  promptTool: undefined,
  skipsPermissions: false,
  allowsBypass: false,
  betas: [],
  loads: 'all',
  ignored: [],
};

const parse = (args: readonly string[]) => readRun(findCommand(parseCommandLine(args)).line);

/** The error of the command; nothing is done before it. */
async function errorOf(args: readonly string[]): Promise<string> {
  try {
    await run(args);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('The command did something.');
}

describe('the command line of a run', () => {
  it.each([
    [['-p', 'hello']],
    [['--print', 'hello']],
    [['hello', '-p']],
    [['-p', '--', 'hello']],
    [['--print', '--output-format=text', 'hello']],
  ])('reads a prompt from %j', (args) => {
    expect(parse(args)).toEqual({ ...RUN, prompt: 'hello' });
  });

  it.each([[[]], [['--verbose', '--continue']]])('opens a session at a terminal for %j', (args) => {
    const given = { verbose: args.length > 0, continues: args.length > 0 };
    expect(parse(args)).toEqual({ ...RUN, ...given, isInteractive: true });
  });

  it('takes a word without -p for the first prompt of a session at a terminal', () => {
    expect(parse(['hello'])).toEqual({ ...RUN, isInteractive: true, prompt: 'hello' });
    expect(parse(['do'])).toMatchObject({ isInteractive: true, prompt: 'do' });
  });

  it('reads every flag of a run', () => {
    const sessionId = '3f2c1a90-5b7d-4c1e-9a44-0d6f2b8e7c11';
    const args = [
      '-p',
      'hello',
      '--output-format',
      'json',
      '--model',
      'scripted:a.yaml',
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Bash(npm test *),Read',
      '--allowed-tools',
      'Edit',
      '--disallowedTools',
      'WebFetch',
      '--settings',
      '{"model":"opus"}',
      '--agents',
      '{}',
      '--agent',
      'coordinator',
      '--max-turns',
      '7',
      '--session-id',
      sessionId,
      '--verbose',
      '--dangerously-skip-permissions',
    ];
    expect(parse(args)).toEqual({
      ...RUN,
      prompt: 'hello',
      outputFormat: 'json',
      model: 'scripted:a.yaml',
      permissionMode: 'acceptEdits',
      allowedTools: ['Bash(npm test *),Read', 'Edit'],
      disallowedTools: ['WebFetch'],
      settings: ['{"model":"opus"}'],
      agents: '{}',
      agent: 'coordinator',
      session: { maxTurns: 7, sessionId },
      verbose: true,
      skipsPermissions: true,
    });
  });

  it.each([
    [
      ['permission', 'list'],
      'There is no command "permission". Did you mean troupe permissions list?',
    ],
    [['tean', 'run', 'a.yaml'], 'There is no command "tean". Did you mean troupe team run a.yaml?'],
    [['-p', 'permission', 'list'], 'One prompt is enough: "list" is a second one.'],
  ])('says what %j probably means', async (args, message) => {
    expect(await errorOf(args)).toContain(message);
  });

  const toModel = (word: string): string => ` To send this word to a model: troupe -p "${word}".`;
  const inQuotes = ' A prompt of several words goes in quotes.';
  it.each([
    [['version'], `There is no command "version". Use troupe --version.${toModel('version')}`],
    [
      ['resume'],
      `There is no command "resume". Use troupe --resume ID, or troupe --continue for the newest session.${toModel('resume')}`,
    ],
    [['resume', '3f2c'], `There is no command "resume". Use troupe --resume 3f2c.${inQuotes}`],
    [
      ['extension', 'add', 'files'],
      `There is no command "extension". Skills are files, .claude/skills/NAME/SKILL.md: docs/use/skills.md. Plugins: troupe plugin, docs/use/plugins.md.${inQuotes}`,
    ],
    [
      ['--model', 'x', 'init'],
      /^There is no command "init"\. There is nothing to set up\. .*CLAUDE\.md/,
    ],
    [['update'], /^There is no command "update"\. npm installs and updates Troupe/],
    [['login'], /^There is no command "login"\. .* set ANTHROPIC_API_KEY/],
    [['skills', 'list'], /^There is no command "skills"\. Skills are files, \.claude\/skills/],
    [['config', 'set', 'model', 'x'], /^There is no command "config set"\. Settings are files/],
    [['doctor', 'fix'], /^There is no command "doctor fix"\. troupe doctor changes nothing/],
    [['help', 'version'], 'There is no command "version". Use troupe --version.'],
    [['help', 'config', 'set'], /^There is no command "config set"\. Settings are files/],
  ])('says what to use in place of a command of other agents: %j', async (args, message) => {
    expect(await errorOf(args)).toMatch(message);
  });

  it.each([
    [['-p', 'version'], 'version'],
    [['update the docs'], 'update the docs'],
    [['--continue', 'continue'], 'continue'],
    [['constructor'], 'constructor'],
  ])('takes %j for a prompt', (args, prompt) => {
    expect(parse(args)).toMatchObject({ prompt });
  });

  it('takes a stream-json client without --print', () => {
    const args = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
    expect(parse([...args, '--permission-prompt-tool', 'stdio'])).toEqual({
      ...RUN,
      inputFormat: 'stream-json',
      outputFormat: 'stream-json',
      asksOnStdio: true,
    });
  });

  it('takes the name of a command after -p for a prompt', () => {
    expect(parse(['-p', 'demo'])).toEqual({ ...RUN, prompt: 'demo' });
  });

  it('takes short flags that are joined', () => {
    expect(parse(['-pc', 'hello'])).toEqual({ ...RUN, prompt: 'hello', continues: true });
  });

  it('reads which files have settings', () => {
    const args = [
      '--setting-sources',
      'user, local',
      '--add-dir',
      'a',
      'b',
      '--add-dir=c',
      '--trust',
    ];
    expect(parse(['-p', 'hello', ...args])).toEqual({
      ...RUN,
      prompt: 'hello',
      settingSources: ['user', 'local'],
      addDirectories: ['a', 'b', 'c'],
      trustsFolder: true,
    });
    expect(parse(['-p', 'hello', '--setting-sources', ''])).toEqual({
      ...RUN,
      prompt: 'hello',
      settingSources: [],
    });
    expect(parse(['--add-dir', 'a', '-p', 'config'])).toEqual({
      ...RUN,
      prompt: 'config',
      addDirectories: ['a'],
    });
  });

  it.each([
    [['-P', 'x'], 'There is no flag -P. Did you mean -p?'],
    [
      ['run', 'team.yaml'],
      'There is no command "run". Did you mean troupe team run team.yaml? A prompt of several words goes in quotes.',
    ],
    [['help', 'sesions'], 'There is no command "sesions". Did you mean troupe help sessions?'],
    [['help', 'hlep'], 'There is no command "hlep". Did you mean troupe help?'],
    [['help', '--model'], 'help takes a command, not a flag: troupe --help explains --model.'],
    [
      ['help', '--all', 'x'],
      'help takes a command, not a flag: troupe help sessions explains --all.',
    ],
    [['help', '--modle'], 'There is no flag --modle. Did you mean --model?'],
    [
      ['review.yaml'],
      '"review.yaml" names a file, not a prompt. For a team: troupe team run review.yaml. For a script of a scripted model: troupe -p PROMPT --model scripted:review.yaml.',
    ],
    [['-p', 'x', '--modle', 'y'], 'There is no flag --modle. Did you mean --model?'],
    [
      ['-p', 'x', '--zebra-crossing'],
      'There is no flag --zebra-crossing. See troupe --help; a prompt that begins with "-" goes after "--".',
    ],
    [
      ['-p', 'x', '--max-turns'],
      '--max-turns needs a value: --max-turns N (most model requests of the main agent).',
    ],
    [
      ['-p', 'x', '--agent', '--verbose'],
      '--agent needs a value: --agent NAME (the main agent of the session).',
    ],
    [['-p', 'x', '--max-turns', '-1'], '--max-turns: "-1" is not a whole number from 1 up.'],
    [['-p', 'x', '--max-turns', '1.5'], '--max-turns: "1.5" is not a whole number from 1 up.'],
    [['-p', 'x', '--verbose=yes'], '--verbose takes no value.'],
    [['-p', 'x', '--agent', 'a', '--agent', 'b'], '--agent was given twice. Give it once.'],
    [['-p', 'x', '--model', ' '], '--model is empty.'],
    [
      ['-p', 'x', '--output-format', 'xml'],
      '--output-format: there is no "xml". Choose text, json, stream-json, markdown.',
    ],
    [
      ['-p', 'x', '--permission-mode', 'bubble'],
      '--permission-mode: there is no "bubble". Choose default, acceptEdits, plan, dontAsk, bypassPermissions, auto, manual.',
    ],
    [
      ['-p', 'x', '--permission-mode', 'acceptEdit'],
      '--permission-mode: there is no "acceptEdit". Did you mean acceptEdits?',
    ],
    [
      ['-p', 'x', '--session-id', '7'],
      '--session-id: "7" is not a UUID, such as 3f2c1a90-5b7d-4c1e-9a44-0d6f2b8e7c11.',
    ],
    [
      ['-p', 'x', 'y'],
      'One prompt is enough: "y" is a second one. Put the whole prompt in quotes.',
    ],
    [
      ['--output-format', 'json', 'x'],
      '--output-format needs -p: without -p a session is for a person at a terminal.',
    ],
    [
      ['--json-schema', '{}'],
      '--json-schema needs -p: without -p a session is for a person at a terminal.',
    ],
    [
      ['sesions'],
      'There is no command "sesions". Did you mean troupe sessions? To send this word to a model: troupe -p "sesions".',
    ],
    [
      ['--input-format', 'stream-json'],
      '--input-format stream-json needs --output-format stream-json.',
    ],
    [
      ['-p', 'x', '--input-format', 'stream-json', '--output-format', 'stream-json'],
      'With --input-format stream-json the prompts come on stdin. Leave the prompt out.',
    ],
    [
      ['-p', 'x', '--permission-prompt-tool', 'stdio'],
      '--permission-prompt-tool stdio is answered on stdin: add --input-format stream-json --output-format stream-json.',
    ],
    [
      ['-p', 'x', '--permission-prompt-tool', 'mcp__a'],
      '--permission-prompt-tool: there is no "mcp__a". Choose stdio, or a tool of an MCP server: mcp__server__tool.',
    ],
    [
      ['-p', 'x', '--setting-sources', 'user,flag'],
      '--setting-sources: there is no "flag". Choose from user, project, local.',
    ],
    [
      ['-p', 'x', '--add-dir'],
      '--add-dir needs a value: --add-dir DIR… (more folders that agents may work in).',
    ],
    [['-p', 'x', '--list'], 'A run takes no --list. See troupe --help.'],
    [['config', 'x'], 'config takes no "x". Usage: troupe config [--json] [flags]'],
    [
      ['config', '--agent', 'x'],
      'config takes no --agent, only --json, --settings, --setting-sources, --add-dir and --trust.',
    ],
    [
      ['trust', 'x', 'y'],
      'trust takes no "y". Usage: troupe trust [DIR] | troupe trust [DIR] --remove | troupe trust --list [--json]',
    ],
    [['logs', ''], 'logs got nothing for ID. Usage: troupe logs ID [--follow]'],
    [['trust', '--model', 'x'], 'trust takes no --model, only --list, --remove and --json.'],
    [['trust', 'x', '--list'], 'trust --list lists every trusted folder. Give it alone.'],
    [['trust', '--json'], '--json goes with a list: troupe trust --list --json.'],
    [['demo', 'x'], 'demo takes no "x". Usage: troupe demo [--model MODEL] [--verbose] [--web]'],
    [['demo', '--agent', 'x'], 'demo takes no --agent, only --model, --verbose and --web.'],
  ])('says what is wrong with %j', async (args, message) => {
    expect(await errorOf(args)).toBe(message);
  });
});

describe('flags with several values', () => {
  const read = (args: readonly string[]) => {
    const command = parse(['-p', ...args]);
    const { prompt, allowedTools, disallowedTools, tools, betas } = command;
    return { prompt, allowedTools, disallowedTools, tools, betas };
  };
  const none = { allowedTools: [], disallowedTools: [], tools: undefined, betas: [] };

  it.each([
    [
      ['go', '--allowedTools', 'Bash(git log *)', 'Read'],
      { allowedTools: ['Bash(git log *)', 'Read'] },
    ],
    [
      ['go', '--allowedTools', 'Bash(git log *) Read', 'mcp__a__b,*'],
      { allowedTools: ['Bash(git log *) Read', 'mcp__a__b,*'] },
    ],
    [
      ['go', '--disallowed-tools', 'Edit', 'Bash(rm *)', '--verbose'],
      { disallowedTools: ['Edit', 'Bash(rm *)'] },
    ],
    [['--allowedTools', 'Read', 'go'], { allowedTools: ['Read'] }],
    [['--allowedTools', 'Read', 'Edit', 'go'], { allowedTools: ['Read', 'Edit'] }],
    [['--allowedTools=Read', 'go'], { allowedTools: ['Read'] }],
    [['go', '--tools', 'Bash', 'Read,Edit'], { tools: ['Bash', 'Read', 'Edit'] }],
    [['go', '--tools', ''], { tools: [] }],
    [['--tools', '', 'go'], { tools: [] }],
    [['go', '--tools', 'default'], {}],
    [
      ['--betas', 'context-1m-2025-08-07', 'interleaved-thinking', 'go'],
      { betas: ['context-1m-2025-08-07', 'interleaved-thinking'] },
    ],
  ])('are read from %j', (args, expected) => {
    expect(read(args)).toEqual({ prompt: 'go', ...none, ...expected });
  });
});

describe('flags of the published SDKs', () => {
  const read = (args: readonly string[]) => {
    return parse(['-p', 'go', ...args]);
  };

  it.each([
    [['--system-prompt', ''], {}],
    [['--system-prompt', '', '--resume', 'x'], { resume: 'x' }],
    [['--append-system-prompt', ''], {}],
    [
      ['--system-prompt', '', '--system-prompt-file', 'a.md'],
      { systemPrompt: { file: 'a.md', flag: '--system-prompt-file' } },
    ],
    [['--thinking', 'adaptive'], { thinking: { type: 'adaptive' } }],
    [['--thinking=disabled'], { thinking: { type: 'disabled' } }],
    [['--max-thinking-tokens=2000'], { thinking: { type: 'enabled', budgetTokens: 2_000 } }],
    [['--max-thinking-tokens', '0'], { thinking: { type: 'disabled' } }],
    [
      ['--thinking', 'enabled', '--max-thinking-tokens', '2000'],
      { thinking: { type: 'enabled', budgetTokens: 2_000 } },
    ],
    [['--allow-dangerously-skip-permissions'], { allowsBypass: true }],
    [['--bare'], { loads: 'bare' }],
    [['--safe-mode'], { loads: 'safe' }],
    [['--debug', '--debug=mcp,startup', '-d', '--await-initialize', '--teammate-mode', 'auto'], {}],
    [
      ['--debug-file=/tmp/x', '--prompt-suggestions'],
      {
        ignored: [
          '--debug-file has no effect: no such file is written.',
          '--prompt-suggestions has no effect: no prompts are suggested.',
        ],
      },
    ],
  ])('%j are accepted', (args, expected) => {
    expect(read(args)).toEqual({ ...RUN, prompt: 'go', ...expected });
  });

  it.each([
    ['--plugin-url', 'x', 'name its folder: --plugin-dir'],
    ['--resume-session-at', 'x', 'as a whole'],
    ['--session-mirror', 'x', 'journal'],
    ['--managed-settings', '{}', 'file'],
    ['--task-budget', '100', '--max-budget-usd'],
    ['--worktree', 'x', 'git'],
    ['--append-subagent-system-prompt', 'x', 'definitions'],
  ])('%s is refused with a reason', async (flag, value, why) => {
    expect(await errorOf(['-p', 'go', flag, value])).toMatch(
      new RegExp(`^${flag} is not supported\\. .*${why}`),
    );
  });

  it('are not for other commands', async () => {
    expect(await errorOf(['sessions', '--debug'])).toContain('sessions takes no --debug');
  });
});

describe('--resume without an ID', () => {
  it.each([
    [['--resume']],
    [['-r', '--verbose']],
    [['--fork-session', '-r']],
    [['-r', '--', 'what now']],
  ])('lets a person at a terminal choose: %j', (args) => {
    expect(parse(args)).toMatchObject({ picks: true, resume: undefined });
  });

  it.each([[['-p', 'go', '--resume']], [['--resume', '-p', 'go']]])(
    'is refused without a terminal: %j',
    (args) => {
      expect(() => parse(args)).toThrow(
        '--resume needs a value: --resume ID (troupe sessions lists them).',
      );
    },
  );

  it('is no ID that is empty, and not together with --continue', () => {
    expect(() => parse(['--resume', ''])).toThrow('--resume is empty.');
    expect(() => parse(['--resume', '--continue'])).toThrow(
      '--continue and --resume name one session each. Give one of them.',
    );
  });
});
