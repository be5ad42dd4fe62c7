import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { messageOf } from '../../../api/errors.js';
import type { Environment } from '../../../api/types.js';
import { insert, type EditorState } from '../editor/editor.js';
import type { Key } from '../keys/keys.js';
import { imageName, imagePathOf, type ComingPicture } from '../editor/prompt-images.js';
import type { Screen } from '../screen/screen.js';

/** Puts pasted images into the prompt. */
export interface ImagePaste {
  /** Take the key of an image: Ctrl-V, the pasted path of an image, or an empty paste. @returns whether it was one */
  takeKey(key: Key): boolean;
}

export function createImagePaste(
  screen: Screen,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): ImagePaste {
  /** The name is in the text at once, so that the keys behind it stay behind it. @param text in place of no image */
  const add = (label: string, picture: ComingPicture, text: string): true => {
    const { editor } = screen.state;
    const shown = imageName(label, editor.images);
    const images = [...editor.images, { shown, picture }];
    screen.update({ editor: { ...insert(editor, `${shown} `), images } });
    picture.catch((error: unknown) =>
      screen.update({
        editor: replaced(screen.state.editor, `${shown} `, text),
        notice: messageOf(error),
      }),
    );
    return true;
  };
  return {
    takeKey(key) {
      if (screen.state.editor.search !== undefined) return false;
      const isEmptyPaste = key.name === 'paste' && key.text === ''; // the terminal had no text to paste
      if (isEmptyPaste || (key.ctrl && key.name === 'v'))
        return add('clipboard', ofClipboard(env), '');
      const isCommand = /^[!/]/.test(screen.state.editor.text); // a command takes the path
      const path = key.name === 'paste' && !isCommand ? imagePathOf(key.text) : undefined;
      if (path === undefined || !isFile(resolve(cwd, path))) return false;
      return add(basename(path), ofFile(resolve(cwd, path)), key.text);
    },
  };
}

async function ofClipboard(env: Environment): ComingPicture {
  const { readClipboardImage } = await import('./clipboard-image.js');
  return readClipboardImage(env);
}

async function ofFile(path: string): ComingPicture {
  const { readImage } = await import('../../../api/files/read-image.js');
  return readImage(path);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false; // a text like another one
  }
}

function replaced(state: EditorState, old: string, text: string): EditorState {
  const at = state.text.indexOf(old);
  if (at === -1) return state; // sent, or deleted
  const cursor = state.cursor < at + old.length ? at : state.cursor - old.length;
  const without = { ...state, text: state.text.slice(0, at) + state.text.slice(at + old.length) };
  const put = insert({ ...without, cursor: at }, text);
  return { ...put, cursor: cursor + text.length };
}
