import type { Hooks } from '../../extensions/hooks/hook-types.js';
import { existsSync, rmSync } from 'node:fs';
import { createUuids } from '../../core/ids.js';
import type { AssistantMessage } from '../../core/messages.js';
import { NO_USAGE } from '../../core/tasks/usage.js';
import { describeSystemError } from '../../core/system-error.js';
import { readMessages, type RecordedMessage } from '../../journal/readers/read-messages.js';
import { readSubAgent } from '../../journal/readers/sub-agents.js';
import {
  openTranscript,
  transcriptFile,
  type Transcript,
} from '../../journal/storage/transcript.js';
import type { SessionOptions } from '../agents/session/session-options.js';
import type { Transcripts } from '../hooks/session-hooks.js';
import type { EventSource, MessageMeta } from '../services/event-bus.js';
import type { TimeSource } from '../services/timers.js';
import { CONTRACT_VERSION } from './messages/init-message.js';
import { toReply } from './messages/spoken-messages.js';

type TranscriptOwners = {
  readonly options: Pick<SessionOptions, 'id' | 'directory' | 'taskId' | 'resumed' | 'choices'>;
  readonly settings: { readonly cwd: string; readonly hooks: Hooks; readonly transcripts: boolean };
  readonly journal: { pathOf(file: string): string };
  readonly bus: EventSource;
  readonly timers: TimeSource;
};

/** Keep the transcript of the main agent up to date if programs may want it. */
export function keepTranscript(owners: TranscriptOwners): Transcripts {
  const { options, settings, journal } = owners;
  const { cwd } = settings;
  const head = { sessionId: options.id, cwd, version: CONTRACT_VERSION };
  const file = transcriptFile(options.directory);
  if (settings.transcripts || Object.keys(settings.hooks).length > 0)
    follow(owners, file, () => openTranscript(file, { ...head, isSidechain: false }));
  return {
    file,
    writeAgent(agentId) {
      const path = journal.pathOf(`subagents/agent-${agentId}.jsonl`);
      rmSync(path, { force: true });
      const transcript = openTranscript(path, { ...head, isSidechain: true, agentId });
      for (const message of readSubAgent(options, agentId)?.messages ?? [])
        transcript.add(recordedLine(message));
      return path;
    },
  };
}

function follow(
  { options, bus, timers }: TranscriptOwners,
  file: string,
  open: () => Transcript,
): void {
  const { id, directory, taskId, resumed, choices } = options;
  const uuid = createUuids();
  const timestamp = (): string => new Date(timers.now()).toISOString();
  let transcript: Transcript | undefined;
  let isBroken = false;

  const opened = (): Transcript => {
    if (transcript !== undefined) return transcript;
    transcript = open();
    if (choices.title !== undefined) transcript.addTitle(choices.title);
    return transcript;
  };
  const write = (put: (transcript: Transcript) => void): void => {
    if (isBroken) return;
    try {
      put(opened());
    } catch (error) {
      isBroken = true;
      process.emitWarning(
        `The transcript ${file} is not written any more: ${describeSystemError(error)}. The journal has everything.`,
      );
    }
  };

  if (resumed !== undefined && !existsSync(file))
    write((into) => {
      for (const message of readMessages({ id, directory })) into.add(recordedLine(message));
    });
  bus.on('agent.message', (origin, message, meta) => {
    if (origin.taskId !== taskId) return;
    const line =
      message.role === 'user'
        ? userLine(message.content, meta)
        : {
            type: 'assistant',
            message: toReply((message as AssistantMessage).content, meta.reply),
          };
    write((into) => into.add({ ...line, uuid: meta.uuid, timestamp: timestamp() }));
  });
  bus.on('agent.compaction', (origin, news) => {
    if (origin.taskId !== taskId || news.status !== 'done') return;
    const { trigger, preTokens, summary } = news.report;
    write((into) => {
      into.restart({
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        compactMetadata: { trigger, preTokens },
        uuid: uuid(),
        timestamp: timestamp(),
      });
      const message = { role: 'user', content: summary };
      into.add({
        type: 'user',
        message,
        isCompactSummary: true,
        uuid: uuid(),
        timestamp: timestamp(),
      });
    });
  });
}

function userLine(content: readonly unknown[], { mail, toolResult }: Omit<MessageMeta, 'uuid'>) {
  return {
    type: 'user',
    message: { role: 'user', content: plainText(content) ?? content },
    ...(mail !== undefined && mail !== 'prompt' && { isMeta: true }),
    ...(toolResult !== undefined && { toolUseResult: toolResult }),
  };
}

/** Claude Code keeps a prompt that is one text as a text. */
function plainText([only, ...others]: readonly unknown[]): string | undefined {
  const { type, text } = only as { readonly type?: unknown; readonly text?: unknown };
  return others.length === 0 && type === 'text' ? String(text) : undefined;
}

function recordedLine({ uuid, role, content, model, at }: RecordedMessage) {
  const head = { uuid, timestamp: new Date(at).toISOString() };
  if (role === 'user') return { ...userLine(content, {}), ...head };
  const blocks = content as AssistantMessage['content']; // the journal keeps replies as they came
  const reply =
    model === undefined ? undefined : { id: uuid, model, usage: NO_USAGE, stopReason: null };
  return { type: 'assistant', message: toReply(blocks, reply), ...head };
}
