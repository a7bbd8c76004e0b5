CREATE INDEX "books_by_title" ON "books" ("title" COLLATE "C" NULLS FIRST, id);

CREATE INDEX "books_by_pages" ON "books" ("pages" NULLS FIRST, id);

CREATE INDEX "tasks_by_title" ON "tasks" ("title" COLLATE "C" NULLS FIRST, id);

CREATE INDEX "tasks_by_done" ON "tasks" ("done" NULLS FIRST, id);

CREATE INDEX "notes_by_title" ON "notes" ("title" COLLATE "C" NULLS FIRST, id);

CREATE INDEX "items_by_name" ON "items" ("name" COLLATE "C" NULLS FIRST, id);

CREATE INDEX "items_by_quantity" ON "items" ("quantity" NULLS FIRST, id);

CREATE INDEX "users_by_name" ON "users" ("name" COLLATE "C" NULLS FIRST, id);

CREATE INDEX "posts_by_title" ON "posts" ("title" COLLATE "C" NULLS FIRST, id);

CREATE INDEX "todos_by_title" ON "todos" ("title" COLLATE "C" NULLS FIRST, id);

CREATE INDEX "todos_by_done" ON "todos" ("done" NULLS FIRST, id);
