import type { Envelope } from '../../../core/events.js';
import type { AgentEntry, AgentSkill } from '../../../journal/entries/agent-entries.js';
import { parseStepKey } from '../../../journal/entries/step-key.js';

/**
 * The skills of an agent's journal that still count: those since the newest prompt that was taken, and those of prompts
 * that wait.
 */
export function readEarlierSkills(entries: readonly AgentEntry[]): readonly AgentSkill[] {
  if (!entries.some(({ type }) => type === 'agent.skill')) return [];
  let active: AgentSkill[] = [];
  let waiting: AgentSkill[] = [];
  for (const entry of entries) {
    if (entry.type === 'agent.skill') (entry.prompt === undefined ? active : waiting).push(entry);
    const taken = promptsTakenBy(entry);
    if (taken.length === 0) continue;
    const isTaken = ({ prompt = '' }: AgentSkill): boolean => taken.includes(prompt);
    active = waiting.filter(isTaken).map(({ prompt, ...skill }) => skill);
    waiting = waiting.filter((skill) => !isTaken(skill));
  }
  return [...active, ...waiting];
}

/** The IDs of the prompts that a step has taken. */
function promptsTakenBy(entry: AgentEntry): readonly string[] {
  if (entry.type !== 'step.done' || parseStepKey(entry.key)?.part !== 'inbox') return [];
  const mail = entry.result as readonly Envelope[]; // written by `receive`
  return mail.flatMap(({ kind, id }) => (kind === 'prompt' ? [id] : []));
}
