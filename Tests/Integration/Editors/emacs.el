;;; emacs.el --- The steps and expectations of emacs.py -*- lexical-binding: t -*-

(require 'cl-lib)
(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)
(require 'xref)

(defconst deadline 60)
(defvar passed nil)

(defun expect (name expected value)
  "Wait until the function VALUE returns EXPECTED, or fail with NAME."
  (let ((end (+ (float-time) deadline)) (seen (funcall value)))
    (while (not (equal seen expected))
      (when (> (float-time) end)
        (message "FAILED: %s\nexpected: %S\nseen: %S" name expected seen)
        (dolist (server (eglot--servers))
          (with-current-buffer (jsonrpc-events-buffer server) (message "%s" (buffer-string))))
        (kill-emacs 1))
      (accept-process-output nil 0.02)
      (setq seen (funcall value)))
    (push name passed)))

(defun eglot--servers ()
  "All servers."
  (apply #'append (hash-table-values eglot--servers-by-project)))

(defun replace-in (buffer old new)
  "Replace the first OLD in BUFFER by NEW, and send it to the server."
  (with-current-buffer buffer
    (goto-char (point-min))
    (search-forward old)
    (replace-match new t t)
    (eglot--signal-textDocument/didChange)))

(defun messages (buffer)
  "The diagnostics of BUFFER, as line, column and text."
  (with-current-buffer buffer
    (flymake-start)
    (mapcar (lambda (item)
              (goto-char (flymake-diagnostic-beg item))
              (format "%d:%d: %s" (line-number-at-pos) (current-column) (flymake-diagnostic-text item)))
            (flymake-diagnostics))))

(defun open-file (path)
  "Open PATH, and let eglot do what it does after a command."
  (let ((buffer (find-file-noselect path)))
    (with-current-buffer buffer (run-hooks 'post-command-hook))
    buffer))

(defun face-of (word)
  "The face of the first WORD behind point."
  (search-forward word)
  (get-text-property (match-beginning 0) 'face))

(defun check-server (card shelf)
  "Check diagnostics, completion, definitions, renaming and formatting in CARD and SHELF."
  (expect "eglot's server" '("relay-compiler" "lsp")
          (lambda () (with-current-buffer card
                       (last (process-command (jsonrpc--process (eglot-current-server))) 2))))
  (expect "one server" 1 (lambda () (length (eglot--servers))))
  (expect "no diagnostics at first" nil (lambda () (messages card)))
  (replace-in card "title" "titel")
  (expect "a wrong field" '("5:4: relay-compiler [fields-on-correct-type]: Cannot query field \"titel\" on type \"Book\". Did you mean \"title\"?")
          (lambda () (messages card)))
  (replace-in card "titel" "title")
  (expect "none after the correction" nil (lambda () (messages card)))
  (replace-in shelf "{ pages }" "{ pages tit }")
  (with-current-buffer shelf
    (goto-char (point-min))
    (search-forward "tit")
    (expect "completion" '("title")
            (lambda () (let ((found (eglot-completion-at-point)))
                         (mapcar #'substring-no-properties (all-completions "tit" (nth 2 found)))))))
  (replace-in shelf "pages tit" "pages")
  (with-current-buffer shelf
    (goto-char (point-min))
    (search-forward "...Card")
    (expect "the definition" '("Card.swift" 3)
            (lambda ()
              (let ((place (xref-item-location
                            (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))))
                (list (file-name-nondirectory (xref-location-group place)) (xref-location-line place)))))
    (eglot-rename "Kart_book"))
  (expect "renaming in both files" '(t t)
          (lambda () (mapcar (lambda (buffer) (with-current-buffer buffer
                                                (goto-char (point-min))
                                                (and (search-forward "Kart_book" nil t) t)))
                             (list card shelf))))
  (replace-in card "    pages" "      pages")
  (with-current-buffer card
    (eglot-format-buffer)
    (goto-char (point-min))
    (expect "formatting" t (lambda () (and (search-forward "\n    pages\n" nil t) t)))))

(defun check-colors ()
  "Check the faces of the words in a tag, also after a part of it was colored again."
  (let ((expected '(font-lock-keyword-face font-lock-function-name-face font-lock-variable-name-face
                    font-lock-type-face font-lock-comment-face default font-lock-preprocessor-face
                    font-lock-function-name-face font-lock-string-face)))
    (with-temp-file "Sources/Books/Colors.swift"
      (insert "let a = graphql(\n  \"\"\"\n  query A($id: ID!) { # note\n    me @include(if: true)\n"
              "    { ...Row_user name(of: \"x\") }\n  }\n  \"\"\")\nlet b = graphql(\"fragment B on User { name }\")\n"
              "// graphql(\"query Not { me }\")\nlet c = \"query C { me }\"\n"))
    (with-current-buffer (find-file-noselect "Sources/Books/Colors.swift")
      (cl-flet ((faces () (goto-char (point-min))
                       (mapcar #'face-of '("query" "A" "$id" "ID" "# note" "me" "@include" "Row_user" "\"x\""))))
        (font-lock-ensure)
        (expect "colors" expected #'faces)
        (expect "colors of a tag on a line" '(font-lock-keyword-face font-lock-function-name-face font-lock-type-face)
                (lambda () (goto-char (point-min)) (search-forward "let b")
                  (mapcar #'face-of '("fragment" "B" "User"))))
        (expect "no colors in a comment and another string" '(font-lock-comment-face font-lock-string-face)
                (lambda () (goto-char (point-min)) (search-forward "// ")
                  (list (face-of "query") (progn (search-forward "let c") (face-of "query")))))
        (text-mode)
        (font-lock-ensure)
        (expect "colors in another mode" 'font-lock-keyword-face
                (lambda () (goto-char (point-min)) (face-of "query")))
        (relay-store-swift-mode)
        (font-lock-ensure)
        (goto-char (point-min))
        (search-forward "me @")
        (remove-text-properties (line-beginning-position) (line-end-position) '(face nil))
        (font-lock-fontify-region (line-beginning-position) (line-end-position))
        (expect "colors of a line inside a tag" expected #'faces)
        (delete-region (progn (goto-char (point-min)) (search-forward "  }\n  ") (point)) (point-max))
        (font-lock-ensure)
        (expect "a tag without an end has no colors" 'font-lock-string-face
                (lambda () (goto-char (point-min)) (face-of "query"))))
      (set-buffer-modified-p nil)
      (kill-buffer))
    (delete-file "Sources/Books/Colors.swift")
    (with-current-buffer (find-file-noselect "schema.graphql")
      (font-lock-ensure)
      (goto-char (point-min))
      (expect "colors of a GraphQL file" '(font-lock-keyword-face font-lock-type-face)
              (lambda () (goto-char (point-min)) (list (face-of "type") (face-of "Query")))))))

(setq enable-local-variables :all eglot-sync-connect t)
(let ((card (open-file "Sources/Books/Card.swift")))
  (expect "the mode of a Swift file" 'relay-store-swift-mode (lambda () (buffer-local-value 'major-mode card)))
  (check-server card (open-file "Sources/Shelf/Shelf.swift"))
  (check-colors)
  (princ (format "Emacs %s: %s\n" emacs-version (string-join (reverse passed) "; "))))
(mapc #'eglot-shutdown (eglot--servers))

;;; emacs.el ends here
