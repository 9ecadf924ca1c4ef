/** The flags between % and the verb. */
export interface Flags {
  plus: boolean;
  minus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  width: number | undefined;
  precision: number | undefined;
  /** `%+v` and `%#v`: stored separately, because they differ inside values. */
  plusV: boolean;
  sharpV: boolean;
}

export const noFlags = (): Flags => ({
  plus: false,
  minus: false,
  sharp: false,
  space: false,
  zero: false,
  width: undefined,
  precision: undefined,
  plusV: false,
  sharpV: false,
});
