import { resolve } from 'node:path';
import { getEmptyToolPermissionContext } from '../../../core/permission-types.js';
import { compiledRules } from '../../../permissions/rules/compiled-rules.js';
import { otherNamesOf } from '../../../permissions/rules/tool-aliases.js';
import { toPathRule } from '../../../permissions/rules/path-rule.js';
import { findStrictRule } from '../../../permissions/matching/rule-match.js';
import type { Tool, ToolUseContext } from '../../../tools/tool.js';
import { gatherFacts } from '../../facts/gather-facts.js';
import type { HookedCall, HookedUse } from '../../hooks/hook-cause.js';
import type { Call } from '../calls/call.js';
import { hookSubject, type HookedAgent } from '../parts/hook-subject.js';
import type { PermissionServices } from './permission-services.js';

/** The tool call as hooks see it. */
export function hookedUse(
  caller: HookedAgent,
  { bashGrammar }: Pick<PermissionServices, 'bashGrammar'>,
  { tool, input, shownInput: shown }: Pick<Call, 'tool' | 'input' | 'shownInput'>,
  context: ToolUseContext,
): HookedUse {
  let facts: ReturnType<typeof gatherFacts> | undefined;
  const { name } = tool as Tool; // validated
  return {
    ...hookSubject(caller),
    matched: [name, ...otherNamesOf(tool as Tool)], // validated
    call: {
      toolName: name,
      toolUseId: context.call.toolUseId,
      input: tool?.mcpInfo === undefined ? withWholePaths(shown, context.files.cwd) : shown,
      async matchesRule(rule) {
        const only = {
          ...getEmptyToolPermissionContext(),
          alwaysDenyRules: { session: [toPathRule(rule, name)] },
        };
        const gather = () =>
          gatherFacts(tool as Tool, input, context, bashGrammar, { rules: only }); // validated
        const own = tool?.preparePermissionMatcher === undefined ? (facts ??= gather()) : gather();
        return findStrictRule(compiledRules(only).deny, await own) !== undefined;
      },
    },
  };
}

/** The fields of Troupe's tools that are the path of a file. */
const PATH_FIELDS = ['file_path', 'notebook_path'];

/** A hook that looks for a folder in a path finds it in any spelling of the path. */
function withWholePaths(input: HookedCall['input'], cwd: string): HookedCall['input'] {
  const paths = PATH_FIELDS.flatMap((field) => {
    const path = input[field];
    return typeof path === 'string' && path !== '' ? [[field, resolve(cwd, path)] as const] : [];
  });
  return paths.length === 0 ? input : { ...input, ...Object.fromEntries(paths) };
}
