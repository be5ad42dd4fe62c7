import type { TaskStateBase } from '../task-types.js';

type Fixed =
  'id' | 'type' | 'status' | 'description' | 'startTime' | 'outputFile' | 'isBackgrounded';
type New = Pick<TaskStateBase, Fixed> & {
  readonly [Name in 'parentId' | 'toolUseId']: TaskStateBase[Name] | undefined;
};

/** The state of a task whose output nobody has read yet, and whose end nobody was notified of. */
export function newTaskState({ parentId, toolUseId, ...facts }: New): TaskStateBase {
  return {
    ...facts,
    outputOffset: 0,
    notified: false,
    ...(parentId === undefined ? {} : { parentId }),
    ...(toolUseId === undefined ? {} : { toolUseId }),
  };
}
