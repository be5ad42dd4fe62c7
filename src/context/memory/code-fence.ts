/** A reader of the lines of a Markdown text that finds its blocks of code. */
export interface CodeFence {
  /** Whether the next line is inside of a block. */
  readonly isOpen: boolean;
  /** Read the next line. @returns whether it belongs to a block, also as its first or last line */
  read(line: string): boolean;
}

export function createCodeFence(): CodeFence {
  let fence: string | undefined;
  return {
    get isOpen() {
      return fence !== undefined;
    },
    read(line) {
      const mark = /^[\s>]*(`{3,}|~{3,})(.*)$/.exec(line);
      const [, marks = '', rest = ''] = mark ?? [];
      if (fence !== undefined) {
        if (marks.startsWith(fence) && rest.trim() === '') fence = undefined;
        return true;
      }
      if (mark === null || (marks.startsWith('`') && rest.includes('`'))) return false;
      fence = marks;
      return true;
    },
  };
}
