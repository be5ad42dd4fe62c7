import type { AgentDefinition } from '../../core/agent-definition.js';
import { nearestName } from '../../core/nearest-name.js';
import { PUBLISHED_TOOLS } from '../../permissions/rule-problems.js';
import { parseRule } from '../../permissions/rule.js';
import { matchesToolName } from '../../permissions/tool-name.js';

/** A tool that an agent names and that is not there. Tools of MCP servers are known later. */
export type UnknownTool = {
  readonly name: string;
  readonly field: 'tools' | 'disallowedTools';
  /** The tool that was probably meant. */
  readonly meant?: string;
};

export async function findUnknownTools(agent: AgentDefinition): Promise<readonly UnknownTool[]> {
  if (agent.tools === undefined && agent.disallowedTools === undefined) return [];
  const { getAllBaseTools } = await import('../../tools/base-tools.js'); // all tools: a run has them loaded
  const known = getAllBaseTools().flatMap(({ name, aliases = [] }) => [name, ...aliases]);
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
