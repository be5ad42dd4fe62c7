import type { RunCommand } from '../../command.js';
import { resolve } from 'node:path';
import { userFolders } from '../../../api/files/folders.js';
import type { AuditLine, PermissionDecisionReason } from '../../../api/types.js';
import { oneLine, withoutAdvice } from '../../../api/text.js';
import { findSession, newestSession } from '../../../api/sessions/sessions.js';
import { JournalDamagedError, readAudit } from '../../../api/sessions/journal.js';
import { describeReason } from '../../../api/permissions/permissions.js';
import { agentsOfTasks, describePath, type AgentsOfTasks } from '../../summaries/request-path.js';
import { agentLabel, inputSubject } from '../../summaries/tool-subject.js';
import { isNarrow, printJson, printLines, timeOf } from '../../output/print.js';

const SUBJECT_WIDTH = 120;

/**
 * `troupe permissions log`: print every decision of a session, with its approver and its reason.
 *
 * @returns the exit code
 * @throws UsageError for an unknown session
 */
export const run: RunCommand = async ({ words: [session], given }, world) => {
  const home = userFolders(world.env).troupe;
  const found =
    session === undefined ? newestSession(home, resolve(world.cwd)) : findSession(home, session);
  const lines = readAudit(found);
  if (given.has('--json')) await printJson(lines.map((line) => toJson(found.id, line)));
  else if (lines.length === 0)
    await printLines([`session ${found.id}`, 'Nothing was decided in it.']);
  else {
    const margin = isNarrow() ? '  ' : BELOW_TIME;
    const agents = agentsOfTasks(
      lines.flatMap((line) => (line instanceof JournalDamagedError ? [] : [line])),
    );
    const text = lines.flatMap((line) => toText(line, { margin, agents }));
    await printLines([`session ${found.id}`, ...text]);
  }
  return 0;
};

function toJson(sessionId: string, line: AuditLine | JournalDamagedError): object {
  if (line instanceof JournalDamagedError) {
    const { file, line: number, message } = line;
    return { sessionId, type: 'damaged', file, line: number, message };
  }
  const { type, timestamp: at, ...more } = line;
  const why = line.reason === undefined ? {} : { why: whyOf(line) };
  return { sessionId, at, type: type.replace(/^permission\./, ''), ...more, ...why };
}

const WORDS: Readonly<Record<string, string>> = {
  allow: 'allowed',
  deny: 'denied',
  ask: 'needs approval',
};

/** As wide as a time and the gap after it. */
const BELOW_TIME = ' '.repeat('2030-01-01 00:00:00  '.length);

type Shown = {
  /** The indent of all lines except the first. */
  readonly margin: string;
  readonly agents: AgentsOfTasks;
};

function toText(
  line: AuditLine | JournalDamagedError,
  { margin, agents }: Shown,
): readonly string[] {
  if (line instanceof JournalDamagedError) return [`damaged: ${line.message}`];
  const { timestamp, agentId = '', toolName = '', input, behavior = '', by = '' } = line;
  const time = timeOf(timestamp);
  const subject = input === undefined ? '' : oneLine(inputSubject(input), SUBJECT_WIDTH);
  const who = agentId === '' ? '' : `${agentLabel(agentId)}: `;
  const head = `${time}  ${who}${[toolName, subject].filter(Boolean).join(' ')}`;
  const said = WORDS[behavior] ?? behavior;
  const isModeTheReason = whyOf(line) === `the mode ${line.mode}`;
  const inMode = line.mode === undefined || isModeTheReason ? '' : ` in the mode ${line.mode}`;
  switch (line.type) {
    case 'permission.judged':
      return [head, `${margin}${said}${editedBy(line)}${inMode}: ${whyOf(line)}`];
    case 'permission.answered':
      return [
        head,
        `${margin}${said}${wasUnanswered(line) ? '' : ` by ${by}`} after ${line.waitedMs ?? 0} ms${inMode}${whyAnswered(line)}`,
        ...pathLines(line, agents).map((one) => `${margin}${one}`),
      ];
    case 'permission.cancelled':
      return [head, `${margin}withdrawn: the agent no longer needs it`];
    case 'permission.late':
      return [`${time}  ${by} answered too late: ${line.receipt?.status ?? ''}`];
    case 'permission.kept':
      return [`${time}  ${(line.rules ?? []).join(', ')} kept in ${line.file ?? ''}`];
    case 'permission.notKept':
      return [`${time}  ${(line.rules ?? []).join(', ')} not kept: ${line.message ?? ''}`];
    case 'permission.classified':
      return [`${time}  the classifier ${line.classifier ?? ''} said ${behavior}: ${whyOf(line)}`];
    case 'permission.check.failed':
      return [`${time}  a check beside the request failed: ${line.message ?? ''}`];
    case 'hook.ran': {
      const failed = line.problem === undefined ? '' : `: ${line.problem}`;
      return [
        head,
        `${margin}the hook ${line.hook ?? ''} (${line.event ?? ''}) ran ${line.durationMs ?? 0} ms${failed}`,
      ];
    }
    default:
      return [`${head} ${line.type}`];
  }
}

/** Whether the request was denied because no approver was attached. */
function wasUnanswered({ behavior, reason }: AuditLine): boolean {
  return behavior === 'deny' && typeof reason === 'object' && reason.type === 'asyncAgent';
}

/** The reason of a decision; a person gives none. */
function whyAnswered(line: AuditLine): string {
  const { reason } = line;
  if (wasUnanswered(line))
    return `: ${whyOf(line).replace(/^nobody could be asked: Permission to use \S+ was denied: /, '')}`;
  const isPersons = typeof reason === 'object' && reason.type === 'other';
  return reason === undefined || isPersons ? '' : `: ${whyOf(line)}`;
}

/** The shown input is the one that ran. */
function editedBy({ userModified }: AuditLine): string {
  if (userModified === undefined) return '';
  return userModified ? ' as a person has edited it' : ' as a check has edited it';
}

function pathLines({ path = [], by = '' }: AuditLine, agents: AgentsOfTasks): readonly string[] {
  const passed = describePath(path, by, agents);
  return passed === undefined ? [] : [`path: ${passed}`];
}

/** The reason of a line in words; the type of a reason that is unknown here. */
function whyOf({ reason }: AuditLine): string {
  if (reason === undefined) return describeReason(undefined);
  if (typeof reason === 'string') return reason;
  try {
    const words: unknown = describeReason(reason as PermissionDecisionReason); // of the same or a newer version
    return typeof words === 'string' ? withoutAdvice(words) : reason.type;
  } catch {
    return reason.type;
  }
}
