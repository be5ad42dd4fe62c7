import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolPermissionContext } from '../../../src/core/permission-types.js';
import { decide } from '../../../src/permissions/decide.js';
import { contextOf, shellFacts, type Rules } from '../corpus.js';
import { askOracle } from './oracle.js';
import { shellStrings } from './shell-strings.js';

const RUNS = process.env['TROUPE_DEEP'] === undefined ? 500 : 200_000;

const RULES: readonly Rules[] = [
  {},
  { allow: ['Bash(npm test *)'] },
  { allow: ['Bash(npm test)', 'Bash(echo *)'], deny: ['Bash(rm *)'] },
  { allow: ['Bash(git *)', 'Bash(npm *)'], mode: 'acceptEdits' },
  { allow: ['Bash(l*)', 'Bash(* a)'], ask: ['Bash(cat *)'] },
  { mode: 'plan' },
  { mode: 'dontAsk', allow: ['Bash(cat *)'] },
];

function withoutRules(context: ToolPermissionContext): ToolPermissionContext {
  return { ...context, alwaysAllowRules: {} };
}

describe('a parser of other origin', () => {
  it('finds nothing in what is approved that would not be approved for itself', () => {
    let approved = 0;
    const isAllowed = (command: string, context: ToolPermissionContext): boolean =>
      decide(shellFacts(command), context).behavior === 'allow';
    const contexts = fc.constantFrom(...RULES.map(contextOf));
    const property = fc.property(shellStrings, contexts, (command, context) => {
      if (!isAllowed(command, context)) return;
      approved++;
      const reading = askOracle(command);
      if (reading === undefined) throw new Error('the oracle finds an error in it');
      expect(reading.others).toEqual([]);
      for (const { assigned, line, hasParameters } of reading.commands) {
        expect(assigned.filter((name) => name !== 'LANG')).toEqual([]);
        if (line !== '' && !isAllowed(line, context))
          throw new Error(`it would not allow: ${line}`);
        if (hasParameters && isAllowed(line, withoutRules(context)))
          throw new Error(`no rule allows it: ${line}`);
      }
    });
    fc.assert(property, { numRuns: RUNS, seed: 20_260_822 });
    // the property says nothing of command lines that are asked for
    expect(approved).toBeGreaterThan(RUNS / 10);
  }, 600_000);
});
