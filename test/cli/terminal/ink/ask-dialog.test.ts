import { describe, expect, it, vi } from 'vitest';
import { createAskHandler } from '../../../../src/cli/approval/terminal-prompt.js';
import { createAskDialog } from '../../../../src/cli/terminal/ink/ask-dialog.js';
import { NO_KEY } from '../../../../src/cli/terminal/keys/keys.js';
import { lineText, paintLine } from '../../../../src/cli/terminal/lines/line.js';
import { EMPTY_SCREEN } from '../../../../src/cli/terminal/screen/screen-state.js';
import type { Screen } from '../../../../src/cli/terminal/screen/screen.js';
import { requestFor, requestOf } from '../../../support/requests.js';
import type { PermissionRequest } from '../../../../src/core/events.js';

/** A person before a screen of 24 rows. `finished` is the scrollback, `shown` the open request. */
function sit(request: PermissionRequest, edit?: (text: string, name: string) => Promise<string>) {
  const finished: string[] = [];
  let state = EMPTY_SCREEN;
  const screen: Screen = {
    get state() {
      return state;
    },
    update: (change) => void (state = { ...state, ...change }),
    flush() {},
    add(lines) {
      const present = typeof lines === 'function' ? lines() : lines;
      finished.push(...present.map((line) => paintLine(line, false)));
    },
    holdUntil() {},
    load() {},
    start() {},
    stop() {},
  };
  const dialog = createAskDialog(screen, {
    size: () => ({ columns: 80, rows: 24 }),
    isAway: () => false,
    edit,
  });
  const shown = (): readonly string[] =>
    (state.dialog?.lines ?? []).map((line) => lineText([line]));
  const sees = (text: string): Promise<void> =>
    vi.waitFor(() => expect(shown().join('\n')).toContain(text), 5_000);
  const enter = (text: string): void => {
    for (const character of text) dialog.takeKey({ ...NO_KEY, name: character, text: character });
    dialog.takeKey({ ...NO_KEY, name: 'return' });
  };
  const { signal } = new AbortController();
  const answer = createAskHandler(dialog)(request, { signal });
  return { answer, enter, sees, shown, finished };
}

describe('a request on the screen', () => {
  it('folds a command of 1,000 lines, and shows every line at v', async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `touch ${index}`);
    const { answer, enter, sees, finished } = sit(requestOf(lines.join('\n')));
    await sees('v show all lines');
    const folded = finished.length;
    expect(finished.filter((line) => line.includes('touch'))).not.toContain('    │ touch 500');
    enter('v');
    await vi.waitFor(() => expect(finished.length).toBeGreaterThan(folded + 900));
    enter('1');
    expect(await answer).toEqual({ behavior: 'allow' });
    const first = finished.lastIndexOf('    │ touch 0');
    expect(finished.slice(first, first + 1_000)).toEqual(lines.map((line) => `    │ ${line}`));
  });

  it('shows an edited input again, and allows that input', async () => {
    const edit = vi.fn<(text: string) => Promise<string>>(async (text: string) =>
      text.replace('make', 'make check'),
    );
    const { answer, enter, sees, shown } = sit(requestOf('make'), edit);
    await sees('e edit the input');
    enter('e');
    await sees('You have edited this input.');
    expect(edit).toHaveBeenCalledExactlyOnceWith('{\n  "command": "make"\n}\n', 'input.json');
    expect(shown()).toEqual([
      '',
      'ada (worker, repair split.js) asks to use Bash:',
      '    make check',
      '  You have edited this input. The deny rules still apply to it.',
      '  Bash: make check · ada (worker, repair split.js)',
      '  1 allow once',
      '  2 no (2 and a reason tells the agent why)',
      '  e edit the input',
    ]);
    enter('1');
    expect(await answer).toEqual({ behavior: 'allow', updatedInput: { command: 'make check' } });
  });

  it.each([
    ['{"command":', 'The edited input cannot be used. Bash: '],
    ['{"command": 1}', 'command must be a string'],
  ])('refuses %s with the reason, and opens the same text again', async (bad, why) => {
    const edit = vi.fn<(text: string) => Promise<string>>(async (_: string) => bad);
    const { answer, enter, sees } = sit(requestOf('make'), edit);
    await sees('e edit the input');
    enter('e');
    await sees(why);
    enter('e');
    await vi.waitFor(() => expect(edit.mock.lastCall).toEqual([bad, 'input.json']));
    await sees('The edited input cannot be used.');
    enter('1');
    expect(await answer).toEqual({ behavior: 'allow' });
  });

  it('takes any object for a tool that is not built in', async () => {
    const request = requestFor('mcp__notes__add', { text: 'a' });
    const { answer, enter, sees } = sit(
      request,
      vi
        .fn<(text: string) => Promise<string>>(async () => '{"text":"b"}')
        .mockResolvedValueOnce('[1]'),
    );
    await sees('e edit the input');
    enter('e');
    await sees('It must be a JSON object.');
    enter('e');
    await sees('You have edited this input.');
    enter('1');
    expect(await answer).toEqual({ behavior: 'allow', updatedInput: { text: 'b' } });
  });

  it('keeps the request if the editor fails, and offers no edit without an editor', async () => {
    const failing = sit(requestOf('make'), async () => {
      throw new Error('ed ended with exit code 1.');
    });
    await failing.sees('e edit the input');
    failing.enter('e');
    await failing.sees('Nothing was edited: ed ended with exit code 1.');
    const none = sit(requestOf('make'));
    await none.sees('3 no');
    expect(none.shown()).not.toContain('  e edit the input');
    none.enter('e');
    await none.sees('Set VISUAL or EDITOR to edit the input there.');
  });
});
