import { expect, it } from 'vitest';
import { agent, answer, bash } from './support/answers.js';
import { answered, CLIENT, control, say } from './support/stream-client.js';
import { placeWith } from './support/user-hooks.js';

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
    SessionEnd: noting('SessionEnd'),
    StopFailure: noting('StopFailure'),
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
      SessionEnd: 1,
    },
  ]);
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
    ],
  });
  const api = await place.api({ replies: [{ text: 'Done.' }] });
  const troupe = place.start([...CLIENT], { api, input: 'open' });
  troupe.send(control('req_1', { subtype: 'set_model', model: 'opus' }));
  const refused = await answered(troupe, 'req_1');
  troupe.send(control('req_2', { subtype: 'set_model', model: 'haiku' }));
  const taken = await answered(troupe, 'req_2');
  troupe.send(say('Go.'));
  troupe.endInput();
  await troupe.ended;
  expect([refused, taken]).toMatchObject([
    { response: { subtype: 'error', error: expect.stringContaining('Too dear.') as unknown } },
    { response: { subtype: 'success' } },
  ]);
  expect(api.requests[0]?.body.model).toContain('haiku');
});
