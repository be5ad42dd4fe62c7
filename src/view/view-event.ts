import type { AgentEntry } from '../journal/entries/agent-entries.js';
import type { TaskEntry } from '../journal/entries/task-entries.js';
import type { TeamEntry } from '../journal/entries/team-entries.js';
import type { AuditLine } from '../journal/readers/read-audit.js';

/** One line of a session's journal, with the file that it comes from. */
export type ViewEvent =
  | { readonly file: 'tasks'; readonly entry: TaskEntry }
  | { readonly file: 'audit'; readonly entry: AuditLine }
  | { readonly file: 'agent'; readonly agentId: string; readonly entry: AgentEntry }
  | { readonly file: 'team'; readonly team: string; readonly entry: TeamEntry }
  /** A line that cannot be read. */
  | { readonly file: 'damaged'; readonly message: string };
