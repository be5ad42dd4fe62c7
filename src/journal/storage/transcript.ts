import { closeSync, existsSync, mkdirSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { openToAppend } from '../../files/regular-file.js';
import { repairTail } from './repair-tail.js';

/** A message of a transcript, without the fields that every message has. */
export type TranscriptLine = {
  readonly type: string;
  readonly uuid: string;
  readonly [key: string]: unknown;
};

/** A file of a conversation, in the format of Claude Code, that other programs read. Troupe itself reads the journal. */
export interface Transcript {
  /** Add a message behind the newest one. @throws Error of the file system */
  add(line: TranscriptLine): void;
  /** Add the first message after a compaction: the conversation does not have the earlier ones any more. */
  restart(line: TranscriptLine): void;
  /** Add the title of the session. */
  addTitle(customTitle: string): void;
}

/** The fields that every message has. */
export type TranscriptHead = {
  readonly sessionId: string;
  readonly cwd: string;
  /** Version of the format. */
  readonly version: string;
  readonly isSidechain: boolean;
  readonly agentId?: string;
};

/** Path of the transcript of the session with this folder. */
export function transcriptFile(directory: string): string {
  return `${directory}.jsonl`;
}

/** Open a transcript, to add lines to the present ones. The first line makes the file. */
export function openTranscript(file: string, head: TranscriptHead): Transcript {
  let newest = repairTail(file);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const write = (line: object): void => appendLine(file, line);
  const put = (line: TranscriptLine, parents: object): void => {
    write({ ...parents, ...head, userType: 'external', ...line });
    newest = line.uuid;
  };
  return {
    add: (line) => put(line, { parentUuid: newest }),
    restart: (line) => put(line, { parentUuid: null, logicalParentUuid: newest }),
    addTitle: (customTitle) => write(titleLine(customTitle, head.sessionId)),
  };
}

/** Add a new title to the transcript of a session, if it has one; the session may be running. */
export function addTranscriptTitle(directory: string, sessionId: string, title: string): void {
  const file = transcriptFile(directory);
  if (existsSync(file)) appendLine(file, titleLine(title, sessionId));
}

function titleLine(customTitle: string, sessionId: string): object {
  return { type: 'custom-title', customTitle, sessionId };
}

function appendLine(file: string, line: object): void {
  const descriptor = openToAppend(file, 0o600);
  try {
    writeSync(descriptor, `${JSON.stringify(line)}\n`);
  } finally {
    closeSync(descriptor);
  }
}
