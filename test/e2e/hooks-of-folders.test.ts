import { expect, it } from 'vitest';
import { agent, answer, bash, results, textOf } from './support/answers.js';
import { hook, placeWith, saying } from './support/user-hooks.js';

it('hooks of files, of worktrees and of the preparation of a folder run', async ({
  onTestFinished,
}) => {
  const watched = saying({
    hookSpecificOutput: { hookEventName: 'SessionStart', watchPaths: ['WATCHED'] },
  }).replace('WATCHED', '\'"$PWD/dynamic"\'');
  const made = 'mkdir -p "$PWD/copy" && echo making >&2 && echo banner && echo "$PWD/copy"';
  const place = await placeWith(onTestFinished, {
    Setup: [
      { matcher: 'init', hooks: [hook('cat >setup; echo "export SET=up" >>"$CLAUDE_ENV_FILE"')] },
      { matcher: 'maintenance', hooks: [hook('touch maintained')] },
    ],
    SessionStart: [hook(watched)],
    FileChanged: [
      { matcher: 'data.csv|other', hooks: [hook('jq -r .event >>changed')] },
      { hooks: [hook('jq -r .file_path >>paths')] },
    ],
    WorktreeCreate: [hook(`jq -r .name >>names; ${made}`)],
    WorktreeRemove: [hook('jq -r .worktree_path | xargs rm -rf')],
  });
  const api = await place.api({
    handler: answer({
      go: [
        { tools: [bash('touch data.csv dynamic unwatched; printenv SET')] },
        { tools: [agent('Work.', { isolation: 'worktree' })] },
        { text: 'Done.' },
      ],
      'Work.': [{ tools: [bash('pwd')] }, { text: 'Worked.' }],
    }),
  });
  const run = await place.call(['-p', 'go', '--init', '--allowedTools', 'Bash'], { api });
  const [, ...later] = api.requests;
  const read = later.flatMap((request) => results(request).map(({ content }) => textOf(content)));
  expect([run.code, run.stderr]).toEqual([0, '']);
  expect(read.join('\n')).toContain('up');
  expect(read.join('\n')).toContain(place.at('copy'));
  expect(JSON.parse(await place.text('setup'))).toMatchObject({
    hook_event_name: 'Setup',
    trigger: 'init',
  });
  expect((await place.text('changed')).trim()).toBe('add');
  expect((await place.text('paths')).trim().split('\n').toSorted()).toEqual([
    place.at('data.csv'),
    place.at('dynamic'),
  ]);
  expect(await place.text('names')).toMatch(/^a\w+\n$/);
  expect([place.has('copy'), place.has('maintained')]).toEqual([false, false]);
  const only = await place.call(['--init-only']);
  expect([only.code, only.stdout, only.stderr]).toEqual([0, '', '']);
});

it('a hook that makes no worktree prevents the agent that needs it', async ({ onTestFinished }) => {
  const place = await placeWith(onTestFinished, {
    WorktreeCreate: [hook('echo no room >&2; exit 1')],
  });
  const api = await place.api({
    handler: answer({
      go: [{ tools: [agent('Work.', { isolation: 'worktree' })] }, { text: 'Done.' }],
    }),
  });
  await place.call(['-p', 'go'], { api });
  const [result] = results(api.requests[1]);
  expect([result?.is_error, textOf(result?.content)]).toEqual([
    true,
    expect.stringContaining('made no worktree: it exited with 1: no room'),
  ]);
});
