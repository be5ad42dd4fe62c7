import type { TaskStateBase } from '../task-types.js';

type Fixed =
  'id' | 'type' | 'status' | 'description' | 'startTime' | 'outputFile' | 'isBackgrounded';
type New = Pick<TaskStateBase, Fixed> & {
  readonly [Name in 'parentId' | 'toolUseId']: TaskStateBase[Name] | undefined;
};

/** The state of a new task: no output was read, and no notification was sent. */
export function newTaskState({ parentId, toolUseId, ...facts }: New): TaskStateBase {
  return {
    ...facts,
    outputOffset: 0,
    notified: false,
    ...(parentId === undefined ? {} : { parentId }),
    ...(toolUseId === undefined ? {} : { toolUseId }),
  };
}
