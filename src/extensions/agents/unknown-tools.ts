import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { nearestName } from '../../core/text/nearest-name.js';
import { PUBLISHED_TOOLS } from '../../permissions/rules/rule-problems.js';
import { parseRule } from '../../permissions/rules/rule.js';
import { matchesToolName } from '../../permissions/rules/tool-name.js';

/** An unknown tool that an agent names. Tools of MCP servers are known only after their start. */
export type UnknownTool = {
  readonly name: string;
  readonly field: 'tools' | 'disallowedTools';
  /** The tool that is probably meant. */
  readonly meant?: string;
};

/** Definitions whose unknown tools have been reported: each is reported once, however often it is used. */
const reported = new WeakSet<AgentDefinition>();

/** Find the unknown tools that an agent of a file names. The reader of the file reports them. */
export async function findUnknownTools(agent: AgentDefinition): Promise<readonly UnknownTool[]> {
  reported.add(agent);
  return namesTools(agent) ? unknownToolsOf(agent, await builtInNames()) : [];
}

/** Take an agent that was made of a file's as reported, too. */
export function takeAsReported<Agent extends AgentDefinition>(agent: Agent): Agent {
  reported.add(agent);
  return agent;
}

/** Describe the unknown tools of an agent that a program or a flag gives, unless they have been described before. */
export async function describeUnknownTools(agent: AgentDefinition): Promise<readonly string[]> {
  return namesTools(agent) ? describeUnknown(agent, await builtInNames()) : [];
}

/** @param known names of all tools except those of MCP servers */
export function describeUnknown(
  agent: AgentDefinition,
  known: readonly string[],
): readonly string[] {
  if (reported.has(agent)) return [];
  reported.add(agent);
  return unknownToolsOf(agent, known).map(({ name, field, meant }) => {
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    return `The agent "${agent.name}": "${field}": there is no tool "${name}".${hint}`;
  });
}

function namesTools({ tools, disallowedTools }: AgentDefinition): boolean {
  return tools !== undefined || disallowedTools !== undefined;
}

async function builtInNames(): Promise<readonly string[]> {
  const { getAllBaseTools } = await import('../../tools/pool/base-tools.js'); // loads all tools: a run has them loaded already
  return getAllBaseTools().flatMap(({ name, aliases = [] }) => [name, ...aliases]);
}

function unknownToolsOf(agent: AgentDefinition, known: readonly string[]): readonly UnknownTool[] {
  return (['tools', 'disallowedTools'] as const).flatMap((field) => {
    const names = (agent[field] ?? []).map(toolNameOf);
    return [...new Set(names)]
      .filter((name) => isUnknown(name, known))
      .map((name) => {
        const meant = PUBLISHED_TOOLS.has(name)
          ? undefined
          : nearestName(name, known, name.length < 4 ? 1 : 2);
        return meant === undefined ? { name, field } : { name, field, meant };
      });
  });
}

function isUnknown(name: string, known: readonly string[]): boolean {
  if (name === '*' || name.startsWith('mcp__')) return false;
  return !known.some((tool) => matchesToolName(name, tool, 'deny'));
}

function toolNameOf(rule: string): string {
  const read = parseRule(rule);
  return read.ok ? read.value.toolName : rule;
}
