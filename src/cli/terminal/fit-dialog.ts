import type { Dialog } from './screen-state.js';

/** The dialog with its lines laid out for a width. The chosen and the marked items stay. */
export function fitDialog(dialog: Dialog, columns: number): Dialog {
  const { lay, menu: before } = dialog;
  if (lay === undefined) return dialog;
  const { lines, menu } = lay(columns);
  return { ...dialog, lines, menu: menu && { marked: [], ...before, ...menu } };
}
