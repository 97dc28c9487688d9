;;; relay-store.el --- GraphQL tags in Swift -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "28.1"))

;;; Commentary:

;; Starts `relay-compiler lsp' with eglot for Swift and GraphQL files, and
;; colors the GraphQL of graphql("...") tags.  Eglot runs one server in a
;; buffer: C-u M-x eglot chooses another one, such as sourcekit-lsp.

;;; Code:

(provide 'relay-store)
(require 'eglot nil t)

;;; The language server

(defvar relay-store-command '("relay-compiler" "lsp")
  "The program and arguments of the language server.")

(defvar relay-store-modes
  '(swift-mode swift-ts-mode relay-store-swift-mode
    graphql-mode graphql-ts-mode relay-store-graphql-mode)
  "The modes that the language server is for.")

(when (featurep 'eglot)
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs (cons relay-store-modes relay-store-command)))

;;; Modes for an Emacs that has none for these files

(defvar relay-store-swift-syntax
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "_" table)
    table)
  "The syntax of `relay-store-swift-mode'.")

(define-derived-mode relay-store-swift-mode prog-mode "Swift"
  "A mode for Swift files that colors strings, comments and tags."
  :syntax-table relay-store-swift-syntax
  (setq-local comment-start "// ")
  (setq font-lock-defaults '(nil)))

(defvar relay-store-graphql-syntax
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "_" table)
    table)
  "The syntax of `relay-store-graphql-mode'.")

(define-derived-mode relay-store-graphql-mode prog-mode "GraphQL"
  "A mode for GraphQL files."
  :syntax-table relay-store-graphql-syntax
  (setq-local comment-start "# ")
  (setq font-lock-defaults '(nil))
  (font-lock-add-keywords nil '((relay-store--color-document))))

(defun relay-store--add-mode (pattern mode)
  "Open files that match PATTERN in MODE, if no other mode is for them."
  (unless (assoc pattern auto-mode-alist)
    (add-to-list 'auto-mode-alist (cons pattern mode))))

(relay-store--add-mode "\\.swift\\'" 'relay-store-swift-mode)
(dolist (pattern '("\\.graphql\\'" "\\.gql\\'" "\\.graphqls\\'"))
  (relay-store--add-mode pattern 'relay-store-graphql-mode))

;;; Colors

(defconst relay-store--tokens
  (let ((name "\\([_A-Za-z][_0-9A-Za-z]*\\)"))
    `(("#.*" (0 font-lock-comment-face))
      ("\\\\?\"\\(?:\\\\[^\"\n]\\|[^\"\\\n]\\)*\\\\?\"" (0 font-lock-string-face))
      (,(concat "\\(\\.\\.\\.\\)[ \t\n]*\\(on\\)\\_>[ \t\n]*" name)
       (2 font-lock-keyword-face) (3 font-lock-type-face))
      (,(concat "\\(\\.\\.\\.\\)[ \t\n]*" name) (2 font-lock-function-name-face))
      (,(concat "\\_<\\(fragment\\)[ \t\n]+" name "[ \t\n]+\\(on\\)[ \t\n]+" name)
       (1 font-lock-keyword-face) (2 font-lock-function-name-face)
       (3 font-lock-keyword-face) (4 font-lock-type-face))
      (,(concat "\\_<\\(query\\|mutation\\|subscription\\)[ \t\n]+" name)
       (1 font-lock-keyword-face) (2 font-lock-function-name-face))
      (,(concat "\\_<\\(type\\|interface\\|union\\|enum\\|input\\|scalar\\)[ \t]+" name)
       (1 font-lock-keyword-face) (2 font-lock-type-face))
      (,(concat "@" name) (0 font-lock-preprocessor-face))
      (,(concat "\\(\\$" name "\\)[ \t\n]*:[ \t\n]*\\[*" name)
       (1 font-lock-variable-name-face) (3 font-lock-type-face))
      (,(concat "\\$" name) (0 font-lock-variable-name-face))
      ("\\_<\\(?:true\\|false\\|null\\|[0-9][0-9.eE+-]*\\)\\_>" (0 font-lock-constant-face))
      (,name (0 default))))
  "Patterns of tokens in the order in which they are tried, with their faces.")

(defun relay-store--color (start end)
  "Color the GraphQL between START and END."
  (let ((case-fold-search nil))
    (put-text-property start end 'face 'default)
    (goto-char start)
    (while (< (point) end)
      (let ((token (seq-find (lambda (token) (looking-at (car token))) relay-store--tokens)))
        (if (not token)
            (forward-char)
          (pcase-dolist (`(,group ,face) (cdr token))
            (put-text-property (match-beginning group) (min end (match-end group)) 'face face))
          (goto-char (match-end 0)))))
    (goto-char (max (point) end))))

(defun relay-store--next-tag (limit)
  "Move behind the next tag that starts before LIMIT.
Return the start of the call and the bounds of the GraphQL, or nil."
  (let ((case-fold-search nil) (found nil))
    (while (and (not found) (< (point) limit)
                (re-search-forward
                 "\\_<graphql([ \t\n]*\\(#*\\)\\(\"\"\"\\|\"\\)" limit t))
      (let* ((call (match-beginning 0)) (start (point))
             (quotes (match-string-no-properties 2))
             (close (concat quotes (match-string-no-properties 1))))
        (unless (save-excursion (nth 4 (syntax-ppss call)))
          (when (re-search-forward
                 (if (equal close "\"") "[^\\\\\n]\\(\"\\)"
                   (concat "\\(" (regexp-quote close) "\\)"))
                 nil t)
            (setq found (list call start (match-beginning 1)))))))
    found))

(defun relay-store--color-tags (limit)
  "Color the tags before LIMIT.  Return nil, so that it is called once."
  (let (tag)
    (while (setq tag (relay-store--next-tag limit))
      (save-excursion (relay-store--color (nth 1 tag) (nth 2 tag)))))
  nil)

(defun relay-store--color-document (limit)
  "Color the GraphQL before LIMIT, except descriptions.  Return nil."
  (while (< (point) limit)
    (let ((state (syntax-ppss)))
      (if (or (nth 3 state) (nth 4 state) (looking-at "[\"#]"))
          (forward-char)
        (let ((start (point)))
          (skip-chars-forward "^\"#" limit)
          (relay-store--color start (point))))))
  nil)

(defvar font-lock-beg)
(defvar font-lock-end)

(defun relay-store--extend-region ()
  "Let font-lock color whole tags."
  (save-excursion
    (goto-char (point-min))
    (let (tag changed)
      (while (setq tag (relay-store--next-tag font-lock-end))
        (pcase-let ((`(,call ,_ ,end) tag))
          (when (< call font-lock-beg end)
            (setq font-lock-beg call changed t))
          (when (< call font-lock-end end)
            (setq font-lock-end end changed t))))
      changed)))

;;; Set-up

(defun relay-store--set-up ()
  "Color the tags of a Swift file, and start the language server."
  (let ((is-swift (string-match-p "\\.swift\\'" (or buffer-file-name ""))))
    (if (and is-swift (eq major-mode 'fundamental-mode))
        (relay-store-swift-mode)
      (when is-swift
        (setq-local font-lock-multiline t)
        (font-lock-add-keywords nil '((relay-store--color-tags)) 'append)
        (add-hook 'font-lock-extend-region-functions #'relay-store--extend-region nil t)
        (font-lock-flush))
      (when (and (memq major-mode relay-store-modes) (fboundp 'eglot-ensure)
                 (executable-find (car relay-store-command)))
        (eglot-ensure)))))

(add-hook 'after-change-major-mode-hook #'relay-store--set-up)

;;; relay-store.el ends here
