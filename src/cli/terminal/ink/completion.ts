import { messageOf } from '../../../api/errors.js';
import type { Key } from '../keys/keys.js';
import {
  acceptCandidate,
  completionAt,
  movePopup,
  openPopup,
  type Candidate,
} from '../editor/popup.js';
import type { Screen } from '../screen/screen.js';
import type { ScreenEvents } from '../screen/terminal.js';

/** The popup of commands and files while a person types. */
export interface Completing {
  /** Take a key of the open popup. @returns whether it was one */
  takeKey(key: Key): boolean;
  /** Open, change or close the popup after the text has changed. */
  follow(): void;
}

export function createCompletion(
  screen: Screen,
  { commands, files }: Pick<ScreenEvents, 'commands' | 'files'>,
): Completing {
  /** The text whose popup was closed with Escape. */
  let closedFor: string | undefined;
  let known: readonly Candidate[] | undefined;

  const open = (): void => {
    const { editor } = screen.state;
    const completion = completionAt(editor);
    if (completion === undefined || editor.text === closedFor)
      return screen.update({ popup: undefined });
    if (completion.kind === 'file' && known === undefined) {
      screen.update({ popup: undefined });
      return void load();
    }
    const candidates = completion.kind === 'file' ? (known ?? []) : commands();
    screen.update({ popup: openPopup(completion.query, candidates) });
  };
  const load = async (): Promise<void> => {
    known = [];
    known = await files().catch((error: unknown) => {
      screen.update({ notice: messageOf(error) });
      return [];
    });
    open();
  };
  const accept = (): void => {
    const { editor, popup } = screen.state;
    const completion = completionAt(editor);
    const candidate = popup?.candidates[popup.selected];
    if (completion === undefined || candidate === undefined) return;
    screen.update({ editor: acceptCandidate(editor, completion, candidate), popup: undefined });
  };
  return {
    follow() {
      if (screen.state.editor.text === '') known = closedFor = undefined;
      open();
    },
    takeKey(key) {
      const { popup, editor } = screen.state;
      if (popup === undefined) return false;
      if (key.name === 'up' || key.name === 'down') {
        screen.update({ popup: movePopup(popup, key.name === 'up' ? -1 : 1) });
        return true;
      }
      if (key.name === 'escape') {
        closedFor = editor.text;
        screen.update({ popup: undefined });
        return true;
      }
      if (key.name === 'tab') {
        accept();
        return true;
      }
      if (key.name !== 'return') return false;
      const { query = '' } = completionAt(editor) ?? {};
      if (popup.candidates.some(({ value }) => value === query)) return false; // Enter sends a whole name
      accept();
      return true;
    },
  };
}
