import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Hop } from '../../core/events.js';
import type { FoundSession } from '../sessions/find-session.js';
import { readAnyLines, type JournalDamagedError } from '../read-journal.js';

/** One line of the audit: a decision, or what follows from one. Its type says which fields it has. */
export const AuditLine = z
  .object({
    type: z.string(),
    timestamp: z.number(),
    requestId: z.string(),
    agentId: z.string(),
    taskId: z.string(),
    toolName: z.string(),
    toolUseId: z.string(),
    /** With masked secrets and shortened texts. */
    input: z.record(z.string(), z.unknown()),
    mode: z.string(),
    behavior: z.string(),
    /** Unchanged: the types of newer versions are kept. A text from a classifier. */
    reason: z.union([z.looseObject({ type: z.string() }), z.string()]),
    /** Whether a person has edited the input; absent if no one has. */
    userModified: z.boolean(),
    classifier: z.string(),
    /** The event of the hook, its name, its duration, and its failure. */
    event: z.string(),
    hook: z.string(),
    durationMs: z.number(),
    problem: z.string(),
    by: z.string(),
    /** How long the permission request waited. */
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

/** The decisions of a session, in the order of the file. An unreadable line is an error in its place. */
export function readAudit({
  directory,
}: Pick<FoundSession, 'directory'>): readonly (AuditLine | JournalDamagedError)[] {
  const file = join(directory, 'audit.jsonl');
  return existsSync(file) ? readAnyLines(file, AuditLine) : [];
}
