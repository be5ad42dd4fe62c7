import ts from 'typescript5';
import { describe, expect, it } from 'vitest';
import { readText } from './docs/pages.js';

/** The owners of the state of a session, and the contracts that they are made of. */
const OWNERS = {
  'src/actors/agents/agent-directory.ts': ['LiveAgents', 'AgentDirectory'],
  'src/actors/agents/agent-names.ts': ['AgentNames'],
  'src/actors/tasks/task-registry.ts': [
    'TaskLookup',
    'LiveTasks',
    'ForegroundTasks',
    'TaskRegistry',
  ],
  'src/actors/mail/mailroom.ts': ['MailSender', 'Mailroom'],
  'src/actors/services/permission-state.ts': ['PermissionState'],
  'src/actors/hooks/session-hooks.ts': ['EventHooks', 'PromptHooks', 'SessionHooks'],
  'src/actors/teams/team-store.ts': ['TeamList', 'TeamRequests', 'TeamToDos', 'TeamStore'],
  'src/usage/usage-ledger.ts': ['UsageTotals', 'RequestBudgets', 'UsageAccounts', 'UsageLedger'],
  'src/journal/journal.ts': ['JournalLines', 'SessionFiles', 'JournalHealth', 'Journal'],
} as const;

/** The number of methods that an interface declares itself. */
function methodsOf(path: string, name: string): number {
  const { statements } = ts.createSourceFile(path, readText(path), ts.ScriptTarget.Latest, true);
  const found = statements
    .filter((one) => ts.isInterfaceDeclaration(one))
    .find((one) => one.name.text === name);
  if (found === undefined) throw new Error(`${path} has no interface ${name}.`);
  return found.members.filter((member) => {
    if (ts.isMethodSignature(member)) return true;
    return ts.isPropertySignature(member) && member.type !== undefined
      ? ts.isFunctionTypeNode(member.type) || ts.isIndexedAccessTypeNode(member.type)
      : false;
  }).length;
}

describe('each owner of the state of a session', () => {
  it.each(
    Object.entries(OWNERS).flatMap(([path, names]) => names.map((name) => [name, path] as const)),
  )('declares at most six methods: %s', (name, path) => {
    expect(methodsOf(path, name)).toBeLessThanOrEqual(6);
  });
});
