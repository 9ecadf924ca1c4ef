export declare function planPage(): string;
