import { readFileSync } from 'node:fs';
import type { PermissionMode, ToolPermissionContext } from '../../src/core/permission-types.js';
import { decide } from '../../src/permissions/decide.js';
import { readEvalCase, type EvalCase } from '../../src/permissions/eval/eval-case.js';
import {
  contextOf as contextOfCase,
  EVAL_PLACE,
  pathFacts,
  shellFacts as shellFactsBy,
} from '../../src/permissions/eval/judge-case.js';
import type { ToolFacts } from '../../src/permissions/facts/facts.js';
import { loadBashGrammar } from '../../src/tools/shell/bash-grammar.js';

export { pathFacts };

/** The grammar of the shell, as Troupe has it. */
export const parseShell = await loadBashGrammar();

/** The world of the fixtures: a project in a home, and nothing else. */
export const place = EVAL_PLACE;

export function shellFacts(command: string, at = place): ToolFacts {
  return shellFactsBy(command, parseShell, at);
}

export function readCorpus(
  name: 'bash-permission' | 'bash-permission-2' | 'path-permission' | 'webfetch',
): readonly EvalCase[] {
  const file = new URL(`../fixtures/permissions/${name}.jsonl`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const read = readEvalCase(line);
      if (!read.ok) throw new Error(`${name}: ${read.message}`);
      return read.value;
    });
}

export type Rules = {
  readonly mode?: PermissionMode;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
  readonly additional?: readonly string[];
};

export function contextOf(rules: Rules): ToolPermissionContext {
  return contextOfCase({
    mode: 'default',
    allow: [...(rules.allow ?? [])],
    deny: [...(rules.deny ?? [])],
    ask: [...(rules.ask ?? [])],
    ...(rules.mode === undefined ? {} : { mode: rules.mode }),
    ...(rules.additional === undefined ? {} : { additional: rules.additional }),
  });
}

/** The facts of a use of a tool, everything about it plain. */
export function factsOf(facts: Partial<ToolFacts>): ToolFacts {
  return {
    toolName: 'Probe',
    isReadOnly: false,
    requiresUserInteraction: false,
    input: {},
    ownCheck: { behavior: 'passthrough' },
    place,
    ...facts,
  };
}

/** The `commands` that are not decided as `expected`. */
export function decidedOtherwise(
  expected: EvalCase['expect'],
  commands: readonly string[],
  rules: Rules = {},
): readonly string[] {
  const context = contextOf(rules);
  return commands.filter((command) => decide(shellFacts(command), context).behavior !== expected);
}
