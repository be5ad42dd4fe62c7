import { applyEdits, modify, type JSONPath } from 'jsonc-parser';

/** A change of a JSON file: the new value at a path; undefined removes it. */
export type JsonEdit = { readonly path: JSONPath; readonly value: unknown };

/** Make a change in the text of a JSON file. The rest stays, and new lines have the file's indentation and line ends. */
export function withEdit(text: string, { path, value }: JsonEdit): string {
  const tabs = /^\t/m.test(text);
  const spaces = /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
  const formattingOptions = {
    insertSpaces: !tabs,
    tabSize: tabs ? 1 : spaces,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return applyEdits(text, modify(text, path, value, { formattingOptions }));
}
