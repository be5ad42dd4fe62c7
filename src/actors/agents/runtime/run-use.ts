import { isWithin, limitResult } from '../../../context/result-limit.js';
import { messageOf } from '../../../core/errors.js';
import type { ToolResultBlock } from '../../../core/messages.js';
import type { CancelReason } from '../../../machines/agent/tool-call.js';
import { isRecord } from '../../../core/json/is-record.js';
import { createSkillsOfFiles } from '../calls/skills-of-files.js';
import { createUseInstructions } from '../calls/use-instructions.js';
import { newBlocksOf } from '../../../tools/calls/new-blocks.js';
import { checkToolResult } from '../../../tools/calls/check-tool-result.js';
import { atOnce } from '../../../tools/calls/tool-answers.js';
import type { Tool, ToolProgressData, ToolResult, ToolUseContext } from '../../../tools/tool.js';
import { emitFrom } from '../../services/event-bus.js';
import type { Caller } from '../parts/caller.js';
import { hearOfFile } from '../parts/heard-by-hooks.js';
import { hookCause } from '../parts/hook-subject.js';
import { errorResult, type Call, type LiveCall } from '../calls/call.js';
import type { CallPermissions } from '../permissions/call-permissions.js';
import { createResultStore } from '../calls/result-store.js';
import { toResultBlock } from '../calls/result-block.js';
import { notStoppedText } from '../calls/synthetic-results.js';
import type { AfterUse, FinishUse } from './after-use.js';
import type { ServerQuestion } from './answer-server.js';
import { contextForUse } from './server-requests.js';

/** Run the tool of an allowed call. Never rejects: any error becomes the call's result. */
export type UseRunner = (
  live: LiveCall,
  call: Call,
  context: ToolUseContext,
) => Promise<ToolResultBlock>;

/** @param cancelText the result that the model reads for a cancelled call */
export function createUseRunner(
  caller: Caller,
  permissions: Pick<CallPermissions, 'recheck' | 'judgeUse'>,
  services: ServerQuestion['services'],
  cancelText: (reason: CancelReason) => string,
  onData: (id: string, data: unknown) => void,
  after: AfterUse,
): UseRunner {
  const { settings, journal, hooks } = services;
  const instructionsFor = createUseInstructions(caller, settings, (file, usedFile) => {
    const reason = file.globs === undefined ? 'nested_traversal' : 'path_glob_match';
    if (hooks?.hasAny('InstructionsLoaded') === true)
      hearOfFile(hooks, caller, file, reason, usedFile);
  });
  const skillsFor = createSkillsOfFiles(caller, services);
  const store = createResultStore(journal, caller.taskId);

  const runTool: UseRunner = async (live, call, context) => {
    const { id } = call.block;
    const tool = call.tool as Tool; // validated
    const { isGivenUp } = call.grace;
    const { signal } = context.call.abortController;
    let finish: FinishUse | undefined;
    try {
      const checked = permissions.recheck(id);
      const lapsed = checked && (await whyLapsed(checked, () => permissions.recheck(id)));
      if (lapsed !== undefined) return errorResult(id, lapsed);
      signal.throwIfAborted();
      finish = after(call, signal);
      const result = await tool.call(
        call.input,
        contextForUse({ caller, services, live, call, context }),
        (toolName, input) => permissions.judgeUse(toolName, input, context),
        { role: 'assistant', content: [call.block] },
        toldProgress(caller, call),
      );
      if (isGivenUp()) return errorResult(id, ''); // nobody waits for the call any more
      checkToolResult(tool, result);
      caller.onData?.(result.data);
      const { contextModifier } = result;
      if (contextModifier !== undefined && !call.isSafe) {
        const { cwd: old_cwd } = caller.toolContext.files;
        caller.toolContext = checkedContext(atOnce(contextModifier(caller.toolContext)), tool.name);
        const { cwd: new_cwd } = caller.toolContext.files;
        if (old_cwd !== new_cwd && hooks?.hasAny('CwdChanged') === true)
          await hooks.run('CwdChanged', hookCause(caller), { old_cwd, new_cwd }, signal);
      }
      const made = atOnce(tool.mapToolResultToToolResultBlockParam(result.data, id));
      const block = toResultBlock(made, tool.name, id);
      call.added = newBlocksOf(tool.name, result.newMessages);
      const forHooks = forPrograms(result);
      const isError = block.is_error === true;
      if (!isError && instructionsFor !== undefined)
        call.added = [...call.added, ...(await instructionsFor(call, context))];
      const finished = finish(block, forHooks);
      const read = finished instanceof Promise ? await finished : finished;
      const skills = isError ? undefined : skillsFor(call, context);
      if (skills !== undefined) call.added = [...call.added, ...(await skills)];
      const isReplaced = call.isReplaced === true;
      if (!isError && !isReplaced) onData(id, forHooks);
      const onDisk = isReplaced ? undefined : result.onDisk;
      const { maxResultSizeChars } = tool;
      return isWithin(read, maxResultSizeChars)
        ? read
        : await limitResult(read, maxResultSizeChars, store, onDisk);
    } catch (error) {
      const { cancelled } = call;
      const text = cancelled === undefined ? messageOf(error) : cancelText(cancelled);
      const failed = errorResult(id, text);
      return finish === undefined ? failed : await finish(failed);
    }
  };

  return (live, call, context) =>
    unlessGivenUp(call, runTool(live, call, context), () => {
      const why = cancelText(call.cancelled ?? 'user_interrupted');
      return errorResult(call.block.id, `${why} ${notStoppedText(call.block.name)}`);
    });
}

/** Tell that the tool of a call begins to run, and return the function that tells its progress. */
function toldProgress(
  { stepContext }: Pick<Caller, 'stepContext'>,
  call: Call,
): (progress: ToolProgressData) => void {
  const { id } = call.block;
  emitFrom(stepContext, { type: 'tool.running', args: [id] });
  return (progress) => {
    if (call.grace.isGivenUp()) return;
    call.progress = progress;
    emitFrom(stepContext, { type: 'tool.progress', args: [id, progress] });
  };
}

type Recheck = ReturnType<CallPermissions['recheck']>;

/** Why a call must not begin, by rules that did not change during the check. */
async function whyLapsed(first: Recheck, again: () => Recheck): Promise<string | undefined> {
  for (let checked = first; checked !== undefined; checked = again()) {
    const lapsed = await checked;
    if (lapsed !== undefined) return lapsed;
  }
  return undefined;
}

/** Wait for the result of a running tool. If the tool does not stop after an abort, `otherwise` makes the result. */
function unlessGivenUp(
  { grace }: Call,
  running: Promise<ToolResultBlock>,
  otherwise: () => ToolResultBlock,
): Promise<ToolResultBlock> {
  return new Promise((resolve, reject) => {
    grace.whenOver(() => resolve(otherwise()));
    running.then(resolve, reject);
  });
}

/** The result for programs: the data, with what the server adds to it if the tool is of a server. */
function forPrograms({ data, mcpMeta = {} }: ToolResult<unknown>): unknown {
  return Object.keys(mcpMeta).length === 0 ? data : { content: data, ...mcpMeta };
}

/** @throws TypeError if a tool would leave its agent without a context */
function checkedContext(made: unknown, toolName: string): ToolUseContext {
  const { files, session } = isRecord(made) ? made : {};
  if (isRecord(files) && typeof files['cwd'] === 'string' && isRecord(session))
    return made as ToolUseContext;
  throw new TypeError(`${toolName} ran, but its contextModifier returned no context.`);
}
