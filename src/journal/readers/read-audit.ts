import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Hop } from '../../core/events.js';
import type { FoundSession } from '../sessions/find-session.js';
import { readAnyLines, type JournalDamagedError } from '../read-journal.js';

/** One line of the audit: a decision, an answer, or what became of one. Which fields it has, its type tells. */
const AuditLine = z
  .object({
    type: z.string(),
    timestamp: z.number(),
    requestId: z.string(),
    agentId: z.string(),
    taskId: z.string(),
    toolName: z.string(),
    toolUseId: z.string(),
    /** With secrets masked and long texts cut. */
    input: z.record(z.string(), z.unknown()),
    mode: z.string(),
    behavior: z.string(),
    /** As it was written: the types of newer versions are kept. In words where a classifier gave it. */
    reason: z.union([z.looseObject({ type: z.string() }), z.string()]),
    /** Whether a person has edited the input; absent where nobody has. */
    userModified: z.boolean(),
    classifier: z.string(),
    /** The kind of hook, the hook, how long it ran, and what it did wrong. */
    event: z.string(),
    hook: z.string(),
    durationMs: z.number(),
    problem: z.string(),
    by: z.string(),
    /** How long the ask waited. */
    waitedMs: z.number(),
    path: z.array(Hop),
    receipt: z.looseObject({ status: z.string() }),
    file: z.string(),
    message: z.string(),
    rules: z.array(z.string()),
  })
  .partial()
  .required({ type: true, timestamp: true });

export type AuditLine = z.infer<typeof AuditLine>;

/**
 * What was decided in a session, in the order in which it was written. A line that cannot be read is the error that
 * says so, in its place.
 */
export function readAudit({
  directory,
}: Pick<FoundSession, 'directory'>): readonly (AuditLine | JournalDamagedError)[] {
  const file = join(directory, 'audit.jsonl');
  return existsSync(file) ? readAnyLines(file, AuditLine) : [];
}
