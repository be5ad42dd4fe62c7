import { describeNewTools } from '../parts/deferred-tools.js';
import type { CallResult } from '../conversation/conversation.js';
import { textBlock, type ToolResultBlock } from '../../../core/messages.js';
import type { ToolUseContext } from '../../../tools/tool.js';
import { errorResult, withExtras, type Call } from './call.js';
import type { Caller } from '../parts/caller.js';
import { createMayRead } from '../parts/may-read.js';
import { unknownText } from './synthetic-results.js';

/** The live calls of one caller. A call leaves the table with its one result. */
export interface CallTable {
  add(call: Call): void;
  /** A live call. */
  get(id: string): Call;
  find(id: string): Call | undefined;
  list(): readonly Call[];
  /** The context for the call's tool. */
  contextOf(call: Call): ToolUseContext;
  /**
   * Give a call its result and add it to the conversation. Another run over the same journal returns the recorded
   * result.
   *
   * @param isHarmless whether an interrupted run may make the result again
   */
  settle(
    call: Call,
    run: () => Promise<ToolResultBlock>,
    isHarmless?: boolean,
  ): Promise<ToolResultBlock>;
  /** Whether the newest result of this tool call came from the journal: watchers saw it on an earlier run. */
  isRepeated(id: string): boolean;
}

/** Name the tools that are new, once. */
function takeNews(caller: Caller): Call['extras'] {
  const names = caller.newTools;
  caller.newTools = [];
  return names.length === 0 ? [] : [textBlock(describeNewTools(names))];
}

export function createCallTable(caller: Caller): CallTable {
  const { conversation, stepContext } = caller;
  const calls = new Map<string, Call>();
  const repeated = new Set<string>();
  return {
    add: (call) => void calls.set(call.block.id, call),
    get: (id) => calls.get(id) as Call, // an entry exists before anybody asks for it
    find: (id) => calls.get(id),
    list: () => [...calls.values()],
    contextOf: ({ block, controller, approved: { approvedPaths, safeguardedCommand } }) => ({
      ...caller.toolContext,
      call: {
        toolUseId: block.id,
        abortController: controller,
        messages: conversation.messages(),
      },
      files: {
        ...caller.toolContext.files,
        mayRead: createMayRead(caller, approvedPaths ?? []),
        ...(approvedPaths !== undefined && { approvedPaths }),
      },
      ...(safeguardedCommand !== undefined && {
        permissions: { ...caller.toolContext.permissions, safeguardedCommand },
      }),
    }),
    settle(call, run, isHarmless = true) {
      const { key, block, input, tool } = call;
      const { id } = block;
      const isDone = stepContext.isDone(key);
      if (isDone) repeated.add(id);
      else repeated.delete(id);
      const toCallResult = (made: ToolResultBlock): CallResult => {
        const result = withExtras(made, [...call.extras, ...takeNews(caller)]);
        return call.added.length === 0 ? result : { ...result, added: call.added };
      };
      const end = (settled: CallResult): ToolResultBlock => {
        const result = conversation.addResult(settled);
        call.grace.end();
        calls.delete(id);
        return result;
      };
      if (isHarmless && !isDone && !stepContext.isBegun(key))
        return run().then((made) => end(stepContext.record(key, toCallResult(made))));
      const interrupted = { toolUseId: id, toolName: tool?.name ?? block.name };
      const unknownOutcome = errorResult(id, unknownText(caller.lostWork?.(interrupted)));
      const options = { isHarmless: false, unknownOutcome, note: { ...block, input } } as const;
      return stepContext.step(key, () => run().then(toCallResult), options).then(end);
    },
    isRepeated: (id) => repeated.has(id),
  };
}
