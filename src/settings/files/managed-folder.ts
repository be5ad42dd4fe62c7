import { dirname } from 'node:path';

/** The folder of a managed file. Files of `managed-settings.d` belong to the folder around it. */
export function managedFolderOf(file: string): string {
  return dirname(file.replace(/[\\/]managed-settings\.d(?=[\\/][^\\/]*$)/, ''));
}
