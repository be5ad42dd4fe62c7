/** Text that arrives in pieces: finished blocks of Markdown leave it, the open block stays. */
export interface StreamText {
  push(piece: string): void;
  /** The finished blocks; they leave the text. */
  takeFinished(): string;
  /** The open block. */
  readonly open: string;
  /** Everything; the text is empty afterwards. */
  takeAll(): string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

export function createStreamText(): StreamText {
  let open = '';
  let finished = '';
  /** Lines before this position are read. */
  let read = 0;
  let fence: string | undefined;
  return {
    push(piece) {
      open += piece;
      for (let end = open.indexOf('\n', read); end !== -1; end = open.indexOf('\n', read)) {
        const line = open.slice(read, end);
        const mark = FENCE.exec(line)?.[1];
        if (fence === undefined) fence = mark;
        else if (mark?.startsWith(fence) === true) fence = undefined;
        read = end + 1;
        if (line.trim() !== '' || fence !== undefined) continue;
        finished += open.slice(0, read);
        open = open.slice(read);
        read = 0;
      }
    },
    takeFinished() {
      const text = finished;
      finished = '';
      return text;
    },
    get open() {
      return open;
    },
    takeAll() {
      const text = finished + open;
      open = finished = '';
      read = 0;
      fence = undefined;
      return text;
    },
  };
}
