import { spawnSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agent, answer, requestsOf, results, textOf } from './support/answers.js';
import { createPlace } from './support/place.js';
import { COMMAND } from './support/troupe-process.js';

const P = ['-p', 'go'];

describe.concurrent('an environment that cannot be used', () => {
  it.for([
    { name: 'TMPDIR', value: '/nowhere/at/all', says: 'Set TMPDIR' },
    { name: 'TROUPE_HOME', value: '/proc/nope', says: 'Set TROUPE_HOME' },
    { name: 'TROUPE_HOME', value: '/etc/hostname', says: 'Set TROUPE_HOME' },
    {
      name: 'ANTHROPIC_API_KEY',
      value: 'sk-SECRET\nkey',
      says: 'ANTHROPIC_API_KEY has a line break',
    },
  ])(
    'is refused before anything is written: $name=$value',
    async ({ name, value, says }, { onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const api = await place.api({ replies: [{ text: 'hi' }] });
      const { code, stdout, stderr } = await place.call(P, { api, env: { [name]: value } });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^troupe: [^\n]+\n$/);
      expect(stderr).toContain(says);
      expect(stderr).not.toContain('SECRET');
      expect(existsSync(place.troupeHome)).toBe(false);
    },
  );
});

describe.concurrent('a place that cannot be used', () => {
  it('is named: a working folder that was deleted', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const command = 'rmdir "$PWD"; exec "$0" "$@"';
    const { status, stdout, stderr } = spawnSync(
      'sh',
      ['-c', command, process.execPath, COMMAND, 'sessions'],
      { cwd: place.cwd, encoding: 'utf8' },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'troupe: The working folder does not exist any more. Change to an existing one: cd …\n',
    });
  });

  it.skipIf(!existsSync('/dev/full'))(
    'is named: a full disk behind stdout',
    async ({ onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      await place.write({ 'hi.yaml': 'version: 1\nagents: [{ steps: [{ text: hi }] }]\n' });
      const command = 'exec "$0" "$@" > /dev/full';
      const { status, stderr } = spawnSync(
        'sh',
        ['-c', command, process.execPath, COMMAND, '-p', 'go', '--model', 'scripted:hi.yaml'],
        { cwd: place.cwd, env: { HOME: place.home, PATH: process.env['PATH'] }, encoding: 'utf8' },
      );
      expect(status).toBe(1);
      expect(stderr).toMatch(
        /^troupe: the output could not be written to stdout: the disk is full/m,
      );
    },
  );
});

const AGENT = '{"description": "d", "prompt": "p"';

/** Command lines that cannot be run, and what stderr says of each. */
const USAGE: Readonly<Record<string, { readonly args: readonly string[]; readonly says: string }>> =
  {
    'no arguments': { args: [], says: 'Nothing to run. Try: troupe -p' },
    'no prompt': { args: ['-p'], says: 'There is no prompt.' },
    'an empty prompt': { args: ['-p', '  '], says: 'There is no prompt.' },
    'a misspelt agent': {
      args: [...P, '--agent', 'exploer'],
      says: 'There is no agent "exploer". Did you mean "Explore"? Available: ',
    },
    'two prompts': { args: ['-p', 'one', 'two'], says: '"two" is a second one' },
    'an unknown flag': { args: [...P, '--modle', 'x'], says: 'Did you mean --model?' },
    'a flag without its value': { args: [...P, '--model'], says: '--model needs a value' },
    'a flag that takes none': { args: ['--verbose=yes', ...P], says: '--verbose takes no value' },
    'a flag twice': {
      args: [...P, '--model', 'a', '--model', 'b'],
      says: '--model was given twice',
    },
    'an output format': {
      args: [...P, '--output-format', 'xml'],
      says: 'there is no "xml". Choose text, json, stream-json',
    },
    'an input format': {
      args: [...P, '--input-format', 'xml'],
      says: '--input-format: there is no "xml"',
    },
    'formats that do not fit': {
      args: ['-p', '--input-format', 'stream-json'],
      says: 'needs --output-format stream-json',
    },
    'a prompt beside stream input': {
      args: [...P, '--input-format', 'stream-json', '--output-format', 'stream-json'],
      says: 'the prompts come on stdin',
    },
    'asks without stream input': {
      args: [...P, '--permission-prompt-tool', 'stdio'],
      says: 'add --input-format stream-json',
    },
    'another prompt tool': {
      args: [...P, '--permission-prompt-tool', 'x'],
      says: 'there is no "x". Choose stdio',
    },
    'a permission mode': {
      args: [...P, '--permission-mode', 'yolo'],
      says: 'there is no "yolo". Choose default',
    },
    'no turns': { args: [...P, '--max-turns', '0'], says: '"0" is not a whole number from 1 up' },
    'turns in words': { args: [...P, '--max-turns', 'two'], says: '"two" is not a whole number' },
    'a port of the control room': {
      args: ['web', '--port', '99999'],
      says: '--port: "99999" is not a port, such as 8808; 0 is a free one.',
    },
    'a session id': { args: [...P, '--session-id', '123'], says: '"123" is not a UUID' },
    'an agent': {
      args: [...P, '--agent', 'pilot'],
      says: 'There is no agent "pilot". Available: general-purpose',
    },
    'an allow rule': { args: [...P, '--allowedTools', 'Bash(npm'], says: '--allowedTools' },
    'a command for a rule': {
      args: [...P, '--allowedTools', 'npm test'],
      says: `--allowedTools: "npm test" is a command, not a tool. Write --allowedTools 'Bash(npm test)'.`,
    },
    'a deny rule': { args: [...P, '--disallowedTools', '(x)'], says: '--disallowedTools' },
    'agents that are no JSON': {
      args: [...P, '--agents', '{"a": {'],
      says: '--agents:1:8: This is not JSON',
    },
    'agents without a prompt': {
      args: [...P, '--agents', '{"a": {\n "description": "d"}}'],
      says: '--agents:1:7: "a.prompt"',
    },
    'agents with an unknown field': {
      args: [...P, '--agents', `{"a": ${AGENT},\n "promt": "x"}}`],
      says: 'there is no field "promt"',
    },
    'agents with a wrong type': {
      args: [...P, '--agents', `{"a": ${AGENT},\n  "maxTurns": "2"}}`],
      says: '--agents:2:15: "a.maxTurns"',
    },
    'settings that are not there': {
      args: [...P, '--settings', 'nowhere.json'],
      says: 'nowhere.json: ',
    },
    'settings that are a folder': { args: [...P, '--settings', '.'], says: 'troupe: .: ' },
    'settings that are no JSON': {
      args: [...P, '--settings', 'syntax.json'],
      says: 'syntax.json:3:1: This is not JSON',
    },
    'settings of a wrong type': {
      args: [...P, '--settings', 'type.json'],
      says: 'type.json:2:29: "permissions.allow"',
    },
    'settings with a bad rule': {
      args: [...P, '--settings', 'rule.json'],
      says: 'rule.json:2:37: "permissions.deny.1"',
    },
    'settings with a bad mode': {
      args: [...P, '--settings', 'mode.json'],
      says: 'mode.json:1:35: "permissions.defaultMode"',
    },
    'a folder to add that is not there': {
      args: [...P, '--add-dir', 'nowhere'],
      says: 'nowhere: there is no such file or folder.',
    },
    'a folder to add that is a file': {
      args: [...P, '--add-dir', 'mode.json'],
      says: 'mode.json is not a folder',
    },
    'a layer of settings': {
      args: [...P, '--setting-sources', 'user,managed'],
      says: '--setting-sources: there is no "managed". Choose from user, project, local',
    },
    'trust in a folder that is not there': {
      args: ['trust', 'nowhere'],
      says: 'nowhere cannot be trusted: there is no such file or folder.',
    },
    'trust in a folder that is misspelt': {
      args: ['trust', 'mod.json'],
      says: 'mod.json cannot be trusted: there is no such file or folder. Did you mean',
    },
    'a team that is a folder': {
      args: ['team', 'run', '.'],
      says: '.: The team cannot be read: it is a folder, not a file.',
    },
    'a misspelt file of a system prompt': {
      args: [...P, '--system-prompt-file', 'mod.json'],
      says: '--system-prompt-file: there is no such file or folder. Did you mean',
    },
    'misspelt cases of permissions': {
      args: ['permissions', 'eval', 'mod.json'],
      says: 'there is no such file or folder. Did you mean mode.json?',
    },
    'more than config': { args: ['config', 'now'], says: 'config takes no "now"' },
    'config of settings that cannot be used': {
      args: ['config', '--settings', 'rule.json'],
      says: 'rule.json:2:37: "permissions.deny.1"',
    },
    'settings as text': {
      args: [...P, '--settings', '{"permissions": []}'],
      says: ':1:17: "permissions"',
    },
    'a script that is not there': {
      args: [...P, '--model', 'scripted:nowhere.yaml'],
      says: 'nowhere.yaml: There is no such script.',
    },
    'a misspelt script': {
      args: [...P, '--model', 'scripted:varible.yaml'],
      says: 'varible.yaml: There is no such script. Did you mean variable.yaml?',
    },
    'a script that is no YAML': {
      args: [...P, '--model', 'scripted:syntax.yaml'],
      says: 'syntax.yaml:3:1: ',
    },
    'a script with a wrong field': {
      args: [...P, '--model', 'scripted:field.yaml'],
      says: 'field.yaml:4:',
    },
    'a script with an unknown variable': {
      args: [...P, '--model', 'scripted:variable.yaml'],
      says: 'variable.yaml:4:',
    },
    'a script without its prefix': {
      args: [...P, '--model', 'variable.yaml'],
      says: '--model: there is no model "variable.yaml". Did you mean --model scripted:variable.yaml?',
    },
    'no script': { args: [...P, '--model', 'scripted:'], says: '--model scripted:FILE' },
    'no key': {
      args: P,
      says: 'Set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), or set apiKeyHelper in settings, or run without a network: --model scripted:FILE.',
    },
    'more than demo': { args: ['demo', 'now'], says: 'demo takes no "now"' },
    'a flag that demo does not have': {
      args: ['demo', '--max-turns', '2'],
      says: 'demo takes no --max-turns',
    },
  };

const FILES = {
  'syntax.json': '{\n  "permissions": {}\n"model": "a"\n}',
  'type.json': '{\n  "permissions": { "allow": "Bash" }\n}\n',
  'rule.json': '{\n  "permissions": { "deny": ["Read", "Bash(npm"] }\n}\n',
  'mode.json': '{ "permissions": { "defaultMode": "yolo" } }\n',
  'syntax.yaml': 'version: 1\nagents: [\n',
  'field.yaml': 'version: 1\nagents:\n  - steps:\n      - txet: hi\n',
  'variable.yaml': "version: 1\nagents:\n  - steps:\n      - text: '${nothing}'\n",
} as const;

describe.concurrent('a command line that cannot be run', () => {
  it.for(Object.entries(USAGE))(
    'exits with 2, says why in one line, and touches nothing: %s',
    async ([, { args, says }], { onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      await place.write(FILES);
      const env = says.includes('ANTHROPIC_API_KEY') ? {} : { ANTHROPIC_API_KEY: 'test' };
      const { code, stdout, stderr } = await place.call(args, { env });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^troupe: [^\n]+\n$/);
      expect(stderr).toContain(says);
      expect(await place.files()).toEqual(Object.keys(FILES).sort());
      expect(existsSync(place.troupeHome)).toBe(false);
    },
  );

  it('takes a settings file that may not be read for what it is', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    if (process.getuid?.() === 0) return; // root reads everything
    await place.write({ 'locked.json': '{}' });
    await chmod(place.at('locked.json'), 0o000);
    const { code, stderr } = await place.call([...P, '--settings', 'locked.json']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('locked.json: ') });
  });
});

describe.concurrent('a tool input that cannot be used', () => {
  it('is an error that names the tool and the field, and nothing runs', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ 'a.txt': 'one\none\n' });
    const file = place.at('a.txt');
    const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
      ['Bash', {}, 'Bash: command is required'],
      ['Bash', { command: '' }, 'the command is empty'],
      ['Bash', { command: 7 }, 'Bash: command must be a string, not the number 7'],
      ['Bash', { command: 'touch b.txt\0' }, 'NUL'],
      ['Bash', { command: 'touch b.txt', timeout: 600_001 }, 'timeout must be at most 600000'],
      ['Bash', { command: 'touch b.txt', timeout: -1 }, 'timeout must be more than 0'],
      [
        'Bash',
        { command: 'touch b.txt', run_in_background: 'yes' },
        'run_in_background must be true or false',
      ],
      ['Read', {}, 'Read: file_path is required'],
      ['Read', { file_path: '' }, 'file_path'],
      ['Read', { file_path: 'a\0b' }, 'NUL'],
      ['Read', { file_path: file, limit: 0 }, 'limit'],
      ['Read', { file_path: file, offset: 1.5 }, 'offset'],
      ['Read', { file_path: place.cwd }, 'is a folder, not a file'],
      ['Read', { file_path: place.at('A.txt') }, 'A.txt'],
      ['Write', { file_path: place.at('b.txt') }, 'Write: content is required'],
      ['Write', { file_path: file, content: 'x' }, 'a.txt'],
      ['Edit', { file_path: file, old_string: 'one', new_string: 'two' }, 'a.txt'],
      ['Edit', { file_path: file, old_string: 'one' }, 'Edit: new_string is required'],
      ['Glob', {}, 'Glob: pattern is required'],
      ['Glob', { pattern: '*', path: place.at('nowhere') }, 'nowhere'],
      ['Grep', { pattern: '(' }, 'unclosed group'],
      ['Grep', { pattern: 'x', output_mode: 'lines' }, 'output_mode must be one of'],
      ['Agent', { prompt: 'x', description: 'x' }, 'Agent: subagent_type is required'],
      ['Agent', { prompt: ' ', description: 'x', subagent_type: 'worker' }, 'the prompt is empty'],
      [
        'Agent',
        { prompt: 'x', description: 'x', subagent_type: 'worker', resume: 'a' },
        'there is no agent "a". You have started none that has ended.',
      ],
      [
        'Agent',
        { prompt: 'x', description: 'x', subagent_type: 'worker', isolation: 'a' },
        'isolation must be',
      ],
      [
        'Agent',
        { prompt: 'x', description: 'x', subagent_type: 'worker', isolation: 'worktree' },
        'not a git repository',
      ],
      [
        'Agent',
        { prompt: 'x', description: 'x', subagent_type: 'worker', mode: 'yolo' },
        'mode must be one of',
      ],
      ['SendMessage', { to: 'x' }, 'SendMessage: message is required'],
      ['SendMessage', { to: 'nobody', message: 'x' }, 'there is no agent "nobody"'],
      ['TaskStop', {}, 'TaskStop: task_id is required'],
      ['TaskStop', { task_id: '../../x' }, 'no task has the ID'],
      ['TaskOutput', { task_id: 'b00000000', timeout: -5 }, 'timeout must be at least 0'],
      ['TaskOutput', { task_id: 'b00000000' }, 'no task has the ID'],
    ];
    // an agent for each: a shell command that fails cancels those beside it
    const parts = cases.map(([name, input], index) => [
      `case ${index}`,
      [{ tools: [{ name, input }] }, { text: 'Seen.' }],
    ]);
    const api = await place.api({
      handler: answer({
        go: [{ tools: cases.map((_, index) => agent(`case ${index}`)) }, { text: 'Done.' }],
        ...Object.fromEntries(parts),
      }),
    });
    const { code } = await place.call(['-p', 'go', '--permission-mode', 'bypassPermissions'], {
      api,
      env: { IS_SANDBOX: '1' },
    });
    expect(code).toBe(0);
    for (const [index, [name, , says]] of cases.entries()) {
      const [result] = results(requestsOf(api, `case ${index}`)[1]);
      expect({ name, isError: result?.is_error, says: textOf(result?.content) }).toEqual({
        name,
        isError: true,
        says: expect.stringContaining(says),
      });
    }
    expect(await place.files()).toEqual(['a.txt']);
    expect(await place.text('a.txt')).toBe('one\none\n');
  });
});

describe.concurrent('an answer of the model that cannot be used', () => {
  const start = {
    type: 'message_start',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'x',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  };
  const stop = [
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ];
  const toolUse = (json: string): object[] => [
    start,
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'toolu_x', name: 'Bash', input: {} },
    },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: json },
    },
    { type: 'content_block_stop', index: 0 },
    ...stop,
  ];

  it.for(['{"command": "touch b.t', '["touch b.txt"]', '"touch b.txt"', 'touch b.txt'])(
    'gives an error to a tool input that is no JSON object, and nothing runs: %s',
    async (json, { onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const api = await place.api({
        replies: [{ events: toolUse(json) as never }, { text: 'Again.' }], // as a broken server would send it
      });
      const { code, stdout } = await place.call(['-p', 'go', '--permission-mode', 'acceptEdits'], {
        api,
      });
      expect({ code, stdout, problems: api.problems }).toEqual({
        code: 0,
        stdout: 'Again.\n',
        problems: [],
      });
      const [result] = results(api.requests[1]);
      expect(result).toMatchObject({ tool_use_id: 'toolu_x', is_error: true });
      expect(textOf(result?.content)).toMatch(/^Bash: .*(JSON|object)/);
      expect(await place.files()).toEqual([]);
    },
  );

  it.for([
    {
      what: 'an event without a start',
      reply: { events: [{ type: 'content_block_stop', index: 3 }, ...stop] },
    },
    {
      what: 'a broken event',
      reply: {
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: 'event: message_start\ndata: {"type": "mess\n\n',
      },
    },
  ])('is asked again, and nothing is lost: $what', async ({ reply }, { onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    let requests = 0;
    const api = await place.api({
      handler: () => {
        requests += 1;
        return requests === 1 ? (reply as never) : { text: 'Done.' }; // as a broken server would send it
      },
    });
    const { code, stdout } = await place.call(P, { api });
    expect({ code, stdout, requests }).toEqual({ code: 0, stdout: 'Done.\n', requests: 2 });
    expect(await place.files()).toEqual([]);
  });

  it('ends with 1 if a script has no step left', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'script.yaml':
        'version: 1\nagents:\n  - steps:\n      - when: { user: never }\n        text: hi\n',
    });
    const { code, stdout, stderr } = await place.call([...P, '--model', 'scripted:script.yaml']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^troupe: [^\n]+\n$/);
  });

  it('plays a script that is right', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'script.yaml':
        'version: 1\nagents:\n  - steps:\n      - tools:\n          - name: Bash\n            input: { command: pwd }\n      - when: { toolResult: "(?<folder>/.+)" }\n        text: "It is ${folder}"\n',
    });
    const { code, stdout, stderr } = await place.call([...P, '--model', 'scripted:script.yaml']);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `It is ${place.cwd}\n`,
      stderr: '',
    });
  });
});
