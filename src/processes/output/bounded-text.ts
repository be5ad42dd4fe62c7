import { completeLength, firstBoundary } from './utf8-boundary.js';

/** Keeps the beginning and the end of a text of any length. */
export interface BoundedText {
  add(bytes: Buffer): void;
  /** Whether something in the middle was dropped. */
  isTruncated(): boolean;
  /** The text. If the middle was dropped, `describeGap` describes it there. */
  text(describeGap: (droppedBytes: number) => string): string;
}

export function createBoundedText(headBytes: number, tailBytes: number): BoundedText {
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let headLength = 0;
  let tailLength = 0;
  let dropped = 0;
  return {
    add(bytes) {
      const room = headBytes - headLength;
      const forHead = bytes.subarray(0, room);
      if (forHead.length > 0) head.push(forHead);
      headLength += forHead.length;
      const forTail = bytes.subarray(room);
      if (forTail.length === 0) return;
      tail.push(forTail);
      tailLength += forTail.length;
      for (let first = tail[0]; first !== undefined; first = tail[0]) {
        const excess = Math.min(tailLength - tailBytes, first.length);
        if (excess <= 0) break;
        if (excess === first.length) tail.shift();
        else tail[0] = first.subarray(excess);
        tailLength -= excess;
        dropped += excess;
      }
    },
    isTruncated: () => dropped > 0,
    text(describeGap) {
      if (dropped === 0) return Buffer.concat([...head, ...tail]).toString('utf8');
      const start = Buffer.concat(head);
      const end = Buffer.concat(tail);
      const startLength = completeLength(start);
      const endStart = firstBoundary(end);
      const gap = dropped + (start.length - startLength) + endStart;
      return `${start.toString('utf8', 0, startLength)}${describeGap(gap)}${end.toString('utf8', endStart)}`;
    },
  };
}
