CREATE INDEX "books_by_title" ON "books" ("title");

CREATE INDEX "books_by_pages" ON "books" ("pages");

CREATE INDEX "tasks_by_title" ON "tasks" ("title");

CREATE INDEX "tasks_by_done" ON "tasks" ("done");

CREATE INDEX "notes_by_title" ON "notes" ("title");

CREATE INDEX "items_by_name" ON "items" ("name");

CREATE INDEX "items_by_quantity" ON "items" ("quantity");

CREATE INDEX "users_by_name" ON "users" ("name");

CREATE INDEX "posts_by_title" ON "posts" ("title");

CREATE INDEX "todos_by_title" ON "todos" ("title");

CREATE INDEX "todos_by_done" ON "todos" ("done");
