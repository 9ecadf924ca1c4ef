/** Something to look at before the change is applied. `data-loss` is about what the objects hold or claim. */
export interface ChangeWarning {
  kind: 'data-loss' | 'recreate';
  message: string;
}
