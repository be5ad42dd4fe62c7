import type { ModelTool } from '../../../model/model.js';
import type { DeferredTool } from '../../../tools/deferred-tool.js';
import type { Tool } from '../../../tools/tool.js';
import { frame } from '../../../core/text/frame.js';
import type { Conversation } from '../conversation/conversation.js';

/** The tools that ToolSearch can find. */
export function deferredOf(
  tools: readonly Tool[],
  modelTools: readonly ModelTool[],
): readonly DeferredTool[] {
  const deferred = modelTools.filter(isDeferred);
  if (deferred.length === 0) return deferred;
  const hints = new Map(tools.map(({ name, searchHint }) => [name, searchHint]));
  return deferred.map(({ name, description }) => {
    const searchHint = hints.get(name);
    return { name, description, ...(searchHint !== undefined && { searchHint }) };
  });
}

/** A system prompt with the names of the deferred tools at its end, so that agents with the same tools share the rest. */
export function withDeferredNames(
  system: readonly string[],
  modelTools: readonly ModelTool[],
): readonly string[] {
  const names = modelTools.filter(isDeferred).map(({ name }) => name);
  if (names.length === 0) return system;
  const list = frame('deferred-tools', {}, names.join('\n'));
  return [
    ...system,
    `${list}\nThese tools are not loaded. Find them with ToolSearch before you use them.`,
  ];
}

/** Name tools that became available in a running conversation. */
export function describeNewTools(names: readonly string[]): string {
  const list = frame('new-tools', {}, names.join('\n'));
  return `${list}\nThese tools are new and not loaded. Find them with ToolSearch before you use them.`;
}

/** The system prompt that `withDeferredNames` has got. */
export function withoutDeferredNames(
  system: readonly string[],
  modelTools: readonly ModelTool[],
): readonly string[] {
  return hasDeferred(modelTools) ? system.slice(0, -1) : system;
}

/** The parts of an agent that its next request is made of. */
export type PromptParts = {
  readonly modelTools: readonly ModelTool[];
  readonly conversation: Pick<Conversation, 'messages' | 'results'>;
};

type Sent = { readonly of: readonly ModelTool[]; readonly tools: readonly ModelTool[] };

/** The list for what was found, so that requests without a new tool share one. */
const sent = new WeakMap<readonly string[], Sent>();

/** The tools of the next request, if some are deferred: those that are not deferred, then those that were found, in that order. */
export function toolsToSend({
  modelTools,
  conversation: { results },
}: PromptParts): readonly ModelTool[] {
  const foundTools = results.foundTools();
  const known = sent.get(foundTools);
  if (known?.of === modelTools) return known.tools;
  const found = foundTools.flatMap((name) =>
    modelTools.filter((tool) => isDeferred(tool) && tool.name === name),
  );
  const tools = [...modelTools.filter((tool) => !isDeferred(tool)), ...found];
  sent.set(foundTools, { of: modelTools, tools });
  return tools;
}

export function hasDeferred(modelTools: readonly ModelTool[]): boolean {
  return modelTools.some(isDeferred);
}

function isDeferred({ defer_loading }: ModelTool): boolean {
  return defer_loading === true;
}
