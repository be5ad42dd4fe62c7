import { z } from 'zod';
import { Hop } from '../../api/messages.js';
import { printable } from '../../api/text.js';
import { readJournal } from '../../api/sessions/journal.js';
import { agentsOfTasks, describePath } from '../summaries/request-path.js';
import { agentLabel, inputSubject } from '../summaries/tool-subject.js';

const head = {
  agentId: z.string(),
  taskId: z.string().optional(),
  toolName: z.string(),
  input: z.record(z.string(), z.unknown()),
};
const Line = z.union([
  z.object({
    type: z.literal('permission.judged'),
    ...head,
    behavior: z.enum(['allow', 'ask', 'deny']),
    reason: z.looseObject({ type: z.string() }).optional(),
  }),
  z.object({
    type: z.literal('permission.answered'),
    ...head,
    behavior: z.string(),
    by: z.string(),
    path: z.array(Hop),
    waitedMs: z.number(),
  }),
  z.looseObject({ type: z.string() }),
]);

/** Describe the permission decisions of a session, from its audit journal. */
export async function readDecisions(auditFile: string): Promise<readonly string[]> {
  const lines = await readJournal(auditFile, Line);
  const agents = agentsOfTasks(lines as Parameters<typeof agentsOfTasks>[0]); // lines of other types have neither ID
  let allowed = 0;
  const told: string[] = [];
  for (const line of lines) {
    if (line.type === 'permission.judged' && 'behavior' in line) {
      if (line.behavior === 'allow') allowed += 1;
      if (line.behavior === 'deny')
        told.push(`${subjectOf(line)}: denied by ${reasonText(line.reason)}`);
    }
    if (line.type === 'permission.answered' && 'path' in line) {
      const { behavior, by, waitedMs, path } = line as Answered; // by its type
      const verb = behavior === 'allow' ? 'allowed' : 'refused';
      told.push(`${subjectOf(line)}: asked, ${verb} by ${by} after ${waitedMs} ms`);
      const passed = describePath(path, by, agents);
      if (passed !== undefined) told.push(`  path: ${passed}`);
    }
  }
  return [
    `${allowed} ${allowed === 1 ? 'tool call' : 'tool calls'} allowed by rules and modes`,
    ...told,
  ];
}

type Answered = Extract<z.infer<typeof Line>, { type: 'permission.answered' }>;

function subjectOf(line: object): string {
  const { agentId, toolName, input } = line as z.infer<z.ZodObject<typeof head>>; // both kinds of line have these
  return `${agentLabel(agentId)}: ${toolName} ${printable(inputSubject(input))}`;
}

function reasonText(reason: unknown): string {
  if (typeof reason !== 'object' || reason === null) return 'the rules';
  const found = findRule(reason);
  if (found !== undefined) return `the rule ${found}`;
  if ('mode' in reason) return `the mode ${String(reason.mode)}`;
  return 'reason' in reason && typeof reason.reason === 'string' ? reason.reason : 'the rules';
}

/** Find the rule of a reason at any depth: the reason for a shell command has one for each of its parts. */
function findRule(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('toolName' in value && typeof value.toolName === 'string') {
    const content = 'ruleContent' in value ? `(${String(value.ruleContent)})` : '';
    return `${value.toolName}${content}`;
  }
  for (const item of Object.values(value)) {
    const found = findRule(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
