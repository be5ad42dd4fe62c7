import { expect, it } from 'vitest';
import type { HookInput } from '../../../src/extensions/hooks/hook-inputs.js';
import type { HookOutput } from '../../../src/extensions/hooks/hook-output.js';
import { playParts, userTexts } from '../../support/scripts.js';
import { createTroupe } from '../../support/troupe.js';

type Fields = Readonly<Record<string, unknown>>;

it('hooks that watch get instructions, texts, folders and models, in the order of a session', async () => {
  const noted: string[] = [];
  const note = (...fields: readonly string[]) => ({
    hooks: [
      (input: HookInput): Promise<HookOutput> => {
        const told = input as unknown as Fields;
        noted.push(
          [input.hook_event_name, ...fields.map((field) => String(told[field]))].join(' '),
        );
        return Promise.resolve(
          input.hook_event_name === 'PostModelSwitch'
            ? {
                hookSpecificOutput: { hookEventName: 'PostModelSwitch', additionalContext: 'New.' },
              }
            : {},
        );
      },
    ],
  });
  let told: readonly string[] = [];
  const { troupe, at } = await createTroupe(
    playParts({
      main: [
        { tools: [{ name: 'Read', input: { file_path: 'below/a.ts' } }] },
        { text: 'Done.' },
        ({ messages }) => {
          told = userTexts(messages).slice(-2);
          return { text: 'Again.' };
        },
      ],
    }),
    {
      files: { 'below/a.ts': 'a', 'below/CLAUDE.md': 'Be brief.' },
      context: {
        memory: [file('/CLAUDE.md'), { ...file('/more.md'), parent: '/CLAUDE.md' }],
        subfolders: ['project'],
      },
      hooks: {
        InstructionsLoaded: [note('load_reason', 'file_path', 'trigger_file_path')],
        MessageDisplay: [note('delta', 'final', 'index')],
        DirectoryAdded: [note('directory', 'source')],
        PreModelSwitch: [{ matcher: 'third', hooks: [async () => ({ decision: 'block' })] }],
        PostModelSwitch: [note('from_model', 'to_model', 'requested_model', 'source')],
        SessionStart: [note('source', 'session_title')],
        UserPromptSubmit: [note('prompt', 'session_title')],
      },
    },
  );
  const session = troupe.session({
    prompt: 'Go.',
    modelName: 'first',
    title: 'Work',
    staysOpen: true,
  });
  const idle = () => new Promise((resolve) => session.events.once('agent.idle', resolve));
  await idle();
  await session.setModel('second');
  await expect(session.setModel('third')).rejects.toThrow('The model stays second: The hook');
  session.updatePermissions([
    { type: 'addDirectories', directories: ['/added'], destination: 'session' },
  ]);
  await Promise.all([idle(), session.prompt('More.')]);
  session.end();
  expect(noted).toEqual([
    'SessionStart startup Work',
    'InstructionsLoaded session_start /CLAUDE.md undefined',
    'InstructionsLoaded include /more.md undefined',
    'UserPromptSubmit Go. Work',
    `InstructionsLoaded nested_traversal ${at('below/CLAUDE.md')} ${at('below/a.ts')}`,
    'MessageDisplay Done. true 0',
    'PostModelSwitch first second second sdk',
    'DirectoryAdded /added register_repo_root',
    'UserPromptSubmit More. Work',
    'MessageDisplay Again. true 0',
  ]);
  expect(told).toEqual(['The hook callback adds: New.', 'More.']);
});

it.each([
  ['opus', 'opus'],
  ['claude-opus.*', 'opus'],
  ['claude-opus-.*', 'claude-opus-4-1'],
])('a matcher %j of a hook that judges models is for the model %s', async (matcher, model) => {
  const { troupe } = await createTroupe(playParts({ main: [] }), {
    hooks: { PreModelSwitch: [{ matcher, hooks: [async () => ({ decision: 'block' })] }] },
  });
  const session = troupe.session({ staysOpen: true });
  await expect(session.setModel(model)).rejects.toThrow('The model stays');
  await session.setModel('haiku');
});

/** A file of instructions. */
function file(path: string) {
  const text = 'Be kind.';
  return {
    path,
    type: 'Project',
    content: text,
    rawContent: text,
    contentDiffersFromDisk: false,
  } as const;
}
