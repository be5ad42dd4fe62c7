import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { agent, answer, bash, firstPrompt, results, textOf } from './support/answers.js';
import {
  answered,
  ASKS,
  CLIENT,
  control,
  isAskFor,
  isResult,
  reply,
  say,
} from './support/stream-client.js';
import type { Line } from './support/troupe-process.js';
import { hook, placeWith, saying } from './support/user-hooks.js';

/** A server that asks the client what a call of its tool says. */
const ASKING = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../support/mcp/sdk-server.mjs', import.meta.url))],
};
const FORM = { message: 'Which one?', requestedSchema: { type: 'object', properties: {} } };

const noting = (event: string) => [{ type: 'command', command: `echo ${event} >> noted` }];

it('the command runs the hooks of each event of a session', async ({ onTestFinished }) => {
  const place = await placeWith(onTestFinished, {
    SessionStart: noting('SessionStart'),
    InstructionsLoaded: noting('InstructionsLoaded'),
    UserPromptSubmit: noting('UserPromptSubmit'),
    PreToolUse: noting('PreToolUse'),
    PermissionRequest: noting('PermissionRequest'),
    PostToolUse: noting('PostToolUse'),
    PostToolUseFailure: noting('PostToolUseFailure'),
    PostToolBatch: noting('PostToolBatch'),
    CwdChanged: noting('CwdChanged'),
    TaskCreated: noting('TaskCreated'),
    TaskCompleted: noting('TaskCompleted'),
    SubagentStart: noting('SubagentStart'),
    SubagentStop: noting('SubagentStop'),
    Stop: noting('Stop'),
    MessageDisplay: noting('MessageDisplay'),
    SessionEnd: noting('SessionEnd'),
  });
  await place.write({ 'CLAUDE.md': 'Be brief.', 'below/a': '' });
  const task = { subject: 'Look.', description: 'Everywhere.' };
  const api = await place.api({
    handler: answer({
      go: [
        { tools: [bash('cd below')] },
        { tools: [bash('exit 3')] },
        { tools: [{ name: 'TaskCreate', input: task }] },
        { tools: [{ name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } }] },
        { tools: [agent('Look.')] },
        { tools: [{ name: 'Write', input: { file_path: 'new', content: 'x' } }] },
        { text: 'Done.' },
      ],
      'Look.': [{ text: 'Looked.' }],
    }),
  });
  const { code } = await place.call(['-p', 'go', '--allowedTools', 'Bash'], { api });
  const counts = new Map<string, number>();
  for (const event of (await place.text('noted')).trim().split('\n'))
    counts.set(event, (counts.get(event) ?? 0) + 1);
  expect([code, Object.fromEntries(counts)]).toEqual([
    0,
    {
      SessionStart: 1,
      InstructionsLoaded: 1,
      UserPromptSubmit: 1,
      PreToolUse: 6,
      PermissionRequest: 1,
      PostToolUse: 4,
      PostToolUseFailure: 1,
      PostToolBatch: 6,
      CwdChanged: 1,
      TaskCreated: 1,
      TaskCompleted: 1,
      SubagentStart: 1,
      SubagentStop: 1,
      Stop: 1,
      MessageDisplay: 1,
      SessionEnd: 1,
    },
  ]);
});

it('the command runs the hooks of the other events of a session that a client drives', async ({
  onTestFinished,
}) => {
  const events = [
    'UserPromptExpansion',
    'Notification',
    'MessageDisplay',
    'PostModelSwitch',
    'PreCompact',
    'PostCompact',
    'Elicitation',
    'ElicitationResult',
    'TeammateIdle',
  ];
  const notification = [
    { hooks: noting('Notification') },
    { matcher: 'elicitation_dialog', hooks: noting('Notification of a question') },
  ];
  const place = await placeWith(onTestFinished, {
    ...Object.fromEntries(events.map((event) => [event, noting(event)])),
    Notification: notification,
  });
  const mate = { ...agent('Work.').input, team_name: 'crew', name: 'mate' };
  const write = { file_path: 'new', content: 'x' };
  const asked = { requests: [{ method: 'elicitation/create', params: FORM }] };
  const main = answer({
    '/go\nGo.': [
      { tools: [{ name: 'Write', input: write }] },
      { tools: [{ name: 'mcp__asking__ask', input: asked }] },
      { tools: [{ name: 'TeamCreate', input: { team_name: 'crew' } }] },
      { tools: [{ name: 'Agent', input: mate }] },
      { tools: [{ name: 'Sleep', input: { seconds: 60 } }] },
      { text: 'Done.' },
    ],
  });
  const api = await place.api({
    handler: (request) =>
      firstPrompt(request.body).startsWith('/go') ? main(request) : { text: 'Worked.' },
  });
  await place.write({
    '.claude/commands/go.md': 'Go.',
    'servers.json': JSON.stringify({ mcpServers: { asking: ASKING } }),
  });
  const troupe = place.start(
    [...ASKS, '--mcp-config', 'servers.json', '--allowedTools', 'mcp__asking__ask,TeamCreate'],
    { api, input: 'open' },
  );
  troupe.send(control('req_1', { subtype: 'set_model', model: 'opus' }));
  await answered(troupe, 'req_1');
  troupe.send(say('/go'));
  const ask = await troupe.line('the ask', isAskFor('Write'));
  troupe.send(reply(ask, { behavior: 'allow', updatedInput: write }));
  const question = await troupe.line('the question', isAskFor('Which one?'));
  troupe.send(reply(question, { action: 'decline' }));
  await troupe.line('the result', isResult);
  troupe.send(say('/compact'));
  troupe.endInput();
  await troupe.ended;
  const noted = (await place.text('noted')).trim().split('\n');
  expect([...new Set(noted)].toSorted()).toEqual(
    [...events, 'Notification of a question'].toSorted(),
  );
});

const judging = (permissionDecision: string, permissionDecisionReason?: string) => ({
  hookSpecificOutput: {
    hookEventName: 'PreModelSwitch',
    permissionDecision,
    permissionDecisionReason,
  },
});

it('the command lets hooks of PreModelSwitch judge the model that a client sets', async ({
  onTestFinished,
}) => {
  const place = await placeWith(onTestFinished, {
    PreModelSwitch: [
      {
        matcher: 'claude-opus.*',
        hooks: [{ type: 'command', command: 'echo Too dear. >&2; exit 2' }],
      },
      { matcher: 'fable', hooks: [hook(saying(judging('deny', 'Too new.')))] },
      { matcher: 'haiku', hooks: [hook(`cat >> noted; ${saying(judging('allow'))}`)] },
    ],
  });
  const api = await place.api({ replies: [{ text: 'One.' }, { text: 'Two.' }] });
  const troupe = place.start([...CLIENT], { api, input: 'open' });
  const setModel = (id: string, model: string): Promise<Line> => {
    troupe.send(control(id, { subtype: 'set_model', model }));
    return answered(troupe, id);
  };
  troupe.send(say('Go.'));
  await troupe.line('the result', isResult);
  const refused = [await setModel('req_1', 'opus'), await setModel('req_2', 'fable')];
  const taken = await setModel('req_3', 'haiku');
  troupe.send(say('More.'));
  troupe.endInput();
  await troupe.ended;
  const errorWith = (text: string) => ({
    response: { subtype: 'error', error: expect.stringContaining(text) as unknown },
  });
  expect([...refused, taken]).toMatchObject([
    errorWith('Too dear.'),
    errorWith('refuses it: Too new.'),
    { response: { subtype: 'success' } },
  ]);
  expect(api.requests[1]?.body.model).toContain('haiku');
  const {
    context_tokens: tokens,
    estimated_cache_write_usd: usd,
    ...noted
  } = JSON.parse(await place.text('noted')) as Readonly<Record<string, unknown>>;
  expect(noted).toMatchObject({
    from_model: api.requests[0]?.body.model,
    to_model: api.requests[1]?.body.model,
    requested_model: 'haiku',
    source: 'sdk',
    prompt_cache_warm: true,
    cache_ttl: '5m',
    pricing: 'catalog',
  });
  expect([Number(tokens) > 0, Number(usd) > 0]).toEqual([true, true]);
});

it('the command runs the hooks of a turn that fails, and none of Stop', async ({
  onTestFinished,
}) => {
  const place = await placeWith(onTestFinished, {
    Stop: noting('Stop'),
    StopFailure: [
      { matcher: 'invalid_request', hooks: [hook('jq -c "[.error, .hook_event_name]" >> noted')] },
      { matcher: 'rate_limit', hooks: noting('rate_limit') },
    ],
  });
  const api = await place.api({
    replies: [{ status: 400, error: { type: 'invalid_request_error', message: 'no' } }],
  });
  const { code } = await place.call(['-p', 'go'], { api });
  expect([code, await place.text('noted')]).toEqual([1, '["invalid_request","StopFailure"]\n']);
});

it('the command runs the hooks of a denial by the classifier, and the model may try again', async ({
  onTestFinished,
}) => {
  const retry = { hookSpecificOutput: { hookEventName: 'PermissionDenied', retry: true } };
  const place = await placeWith(onTestFinished, {
    PermissionDenied: [
      {
        matcher: 'Bash',
        hooks: [hook(`jq -c "[.tool_input.command]" >> noted; ${saying(retry)}`)],
      },
    ],
  });
  const work = answer({ go: [{ tools: [bash('python3 new.py')] }, { text: 'Done.' }] });
  const denial = JSON.stringify({ behavior: 'deny', reason: 'Odd.' });
  const api = await place.api({
    handler: (request) => (request.body.tools === undefined ? { text: denial } : work(request)),
  });
  await place.call(['-p', 'go', '--permission-mode', 'auto'], { api });
  const [result] = results(api.requests.at(-1));
  expect([await place.text('noted'), textOf(result?.content)]).toEqual([
    '["python3 new.py"]\n',
    expect.stringMatching(/denied by the classifier .*: Odd\..* lets you try this call again\.$/s),
  ]);
});

it('the command runs the hooks of a folder that a client adds', async ({ onTestFinished }) => {
  const place = await placeWith(onTestFinished, {
    DirectoryAdded: [
      { matcher: 'register_repo_root', hooks: [hook('jq -c "[.directory, .source]" >> noted')] },
      { matcher: 'other', hooks: noting('other') },
    ],
  });
  await place.write({ 'below/a': '' });
  const api = await place.api({ replies: [] });
  const troupe = place.start([...CLIENT, '--include-hook-events'], { api, input: 'open' });
  const add = (id: string, directory: string): Promise<Line> => {
    troupe.send(control(id, { subtype: 'register_repo_root', directory }));
    return answered(troupe, id);
  };
  const answers = [
    await add('req_1', 'below'),
    await add('req_2', '..'),
    await add('req_3', 'missing'),
  ];
  const heard = await troupe.line(
    'the end of the hook',
    (line) => line['subtype'] === 'hook_response',
  );
  troupe.endInput();
  await troupe.ended;
  expect(heard).toMatchObject({ hook_event: 'DirectoryAdded', outcome: 'success' });
  expect(answers).toMatchObject([
    { response: { subtype: 'success', response: { directory: place.at('below') } } },
    { response: { subtype: 'error', error: expect.stringContaining('is not below') as unknown } },
    { response: { subtype: 'error', error: expect.stringContaining('does not exist') as unknown } },
  ]);
  expect(await place.text('noted')).toBe(
    `${JSON.stringify([place.at('below'), 'register_repo_root'])}\n`,
  );
});

it('the command gives hooks the whole paths of files, and its last text before it ends', async ({
  onTestFinished,
}) => {
  const place = await placeWith(onTestFinished, {
    PreToolUse: [hook('jq -c .tool_input.file_path >> noted')],
    PostToolUse: [hook('jq -c .tool_input.file_path >> noted')],
    MessageDisplay: [hook('sleep 0.1; jq .delta >> noted')],
  });
  const write = { file_path: 'below/../new', content: 'x' };
  const api = await place.api({
    replies: [{ tools: [{ name: 'Write', input: write }] }, { text: 'Done.' }],
  });
  const { stderr } = await place.call(['-p', 'go', '--allowedTools', 'Write'], { api });
  const path = `${JSON.stringify(place.at('new'))}\n`;
  expect([stderr, await place.text('noted')]).toEqual(['', `${path.repeat(2)}"Done."\n`]);
});

it('the command reads skills again that a hook of SessionStart has installed', async ({
  onTestFinished,
}) => {
  const output = { hookSpecificOutput: { hookEventName: 'SessionStart', reloadSkills: true } };
  const skill = '.claude/skills/tidy/SKILL.md';
  const install = `mkdir -p $(dirname ${skill}); printf -- '---\\ndescription: Tidies up.\\n---\\nTidy.' > ${skill}`;
  const place = await placeWith(onTestFinished, {
    SessionStart: [hook(`cd; ${install}; ${saying(output)}`)],
  });
  const api = await place.api({ replies: [{ text: 'Done.' }] });
  const { stderr } = await place.call(['-p', 'go'], { api });
  expect([stderr, JSON.stringify(api.requests[0]?.body)]).toEqual([
    expect.stringMatching(/^troupe: .*\.claude\/skills changed\. In effect now: skills\.\n$/),
    expect.stringContaining('Tidies up.'),
  ]);
});
